import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listImports } from '../../src/bulk/imports.ts'
import type { Summary } from '../../src/bulk/schemas.ts'
import { countStates } from '../../src/bulk/summary.ts'
import { type Faults, withFaults } from '../../src/sandbox/faults.ts'
import { openStore, type Store } from '../../src/sandbox/index.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts'
import { realClock } from '../helpers/clock.ts'
import { startProgram } from '../helpers/program.ts'
import { seededRandom } from '../helpers/seeded.ts'

/** Late answers are saved this many ms after the next import has started to send. Much shorter than the request timeout. */
const heldMs = 800
const keys = ['height', 'weight', 'age', 'smoking']

export interface Rehearsal {
  /** Imports a new file. Kills the import at random moments, and runs it again until it is complete. */
  round(number: number, killsLeft: number): Promise<Outcome>
  close(): Promise<void>
}

export interface Outcome {
  kills: number
  lost: number
  duplicated: number
  disordered: number
  summary: Summary
}

interface RehearsalOptions {
  folder: string
  seed: number
  faults: Faults
  users: number
  timeoutMs: number
  /** Path of the program (default: the built program). */
  program?: string | undefined
}

/** Starts a sandbox with faults in this process. Each round runs the program as a child process and kills it. */
export async function startRehearsal(options: RehearsalOptions): Promise<Rehearsal> {
  const { folder, seed, faults } = options
  const database = join(folder, 'sandbox.db')
  const posts = new PostCounter()
  const gate = new Gate()
  const sandbox = await startSandbox({
    strict: true,
    database,
    faults: (handle) => {
      const applied = async (request: Request) => {
        if (request.method === 'POST') await gate.pass(request)
        const reply = await handle(request)
        gate.arrive(request)
        return reply
      }
      const faulty = withFaults(applied, faults, realClock)
      return (request, connection) => {
        if (request.method === 'POST') posts.count()
        return faulty(request, connection)
      }
    },
  })
  const store = await openStore(database)
  const random = seededRandom(seed)
  // A request can be delayed by `lateMs` and by `Gate`. The sum of the two delays must be shorter than the timeout, even on a busy machine.
  const longestMs = options.timeoutMs - faults.lateMs - 2_500
  return {
    async round(number, killsLeft) {
      const input = makeInput(options, number, random, store)
      let kills = 0
      for (;;) {
        gate.start()
        const child = startImport(options, sandbox, input.path)
        const isOver = once(child, 'exit')
        if (kills < killsLeft) killAfter(child, { posts, gate, longestMs, random })
        const [code, signal] = await isOver
        if (signal === null && code !== 11) break
        if (signal !== null) kills++
        await assertSums(folder)
      }
      return { kills, ...verify(store, input), summary: readSummary(input.folder) }
    },
    async close() {
      store.close()
      await sandbox.close()
    },
  }
}

/** Calls a function after a number of POST requests. */
class PostCounter {
  #left = 0
  #wake: (() => void) | undefined

  count(): void {
    if (--this.#left === 0) this.#wake?.()
  }

  after(count: number, wake: () => void): void {
    this.#left = count
    this.#wake = wake
  }
}

/**
 * Delays the saves of a killed import. The delay ends when the next import lists the answers of an affected user, or `heldMs` after that
 * import starts to send. Without it, a busy machine could save all late answers while the next import starts.
 */
class Gate {
  #opened: Promise<void> = Promise.resolve()
  #open: () => void = () => undefined
  #starts = 0
  readonly #heldUsers = new Set<string | null>()

  /**
   * From now on, delays each answer by at most `longestMs`. The delay must be limited, because an import expects no new answers after the
   * timeout of its requests.
   */
  close(longestMs: number): void {
    const openEarlier = this.#open
    this.#opened = new Promise((open) => {
      this.#open = () => {
        openEarlier()
        open()
      }
    })
    setTimeout(this.#open, longestMs)
  }

  /** Waits until the gate is open. The service then saves the answers in the request. */
  async pass(request: Request): Promise<void> {
    const user = userOf(request)
    this.#heldUsers.add(user)
    await this.#opened
    this.#heldUsers.delete(user)
  }

  /** Call this when an import starts. */
  start(): void {
    this.#starts = 0
  }

  /** Call this for each request after the service has handled it. */
  arrive(request: Request): void {
    if (request.method !== 'GET') return
    if (this.#heldUsers.has(userOf(request))) this.#open()
    // An import requests the lookup keys before it checks its file, and again when it starts to send.
    const isStart = new URL(request.url).pathname === '/v2/questions/all'
    if (isStart && ++this.#starts === 2) setTimeout(this.#open, heldMs)
  }
}

function userOf({ url }: Request): string | null {
  return new URL(url).searchParams.get('external_user_id')
}

interface Killing {
  posts: PostCounter
  gate: Gate
  longestMs: number
  random(): number
}

/** Kills the import: usually while requests are active, sometimes while the program starts. */
function killAfter(child: ChildProcess, { posts, gate, longestMs, random }: Killing): void {
  const kill = () => child.kill('SIGKILL')
  const delayMs = random() * 30
  const holdAndKill = () => {
    gate.close(longestMs)
    setTimeout(kill, delayMs)
  }
  if (random() < 0.1) setTimeout(kill, random() * 600)
  else posts.after(1 + Math.floor(random() * 25), holdAndKill)
}

interface Input {
  folder: string
  path: string
  /** Answers of each user in file order. `text` is the lookup key and the value. */
  answers: Map<string, { line: number; text: string }[]>
}

/** Creates a file with few different keys and values, so many answers are identical. Every tenth user is unknown to the service. */
function makeInput(
  { folder, users }: RehearsalOptions,
  number: number,
  random: () => number,
  store: Store,
): Input {
  const own = join(folder, `round-${number}`)
  mkdirSync(own)
  const path = join(own, 'answers.csv')
  const answers: Input['answers'] = new Map()
  const lines: string[] = []
  for (let row = 0; row < users * 8; row++) {
    const index = Math.floor(random() * users)
    const user = `round-${number}-user-${index}`
    const [key, value] = [keys[Math.floor(random() * keys.length)], 1 + Math.floor(random() * 3)]
    lines.push(`${user},${key},${value},UTC`)
    if (index % 10 !== 0)
      answers.set(user, [...(answers.get(user) ?? []), { line: lines.length + 1, text: `${key} ${value}` }])
  }
  for (const user of answers.keys()) addUser(store, user)
  writeFileSync(path, `external_user_id,lookup_key,value,timezone\n${lines.join('\n')}\n`)
  return { folder: own, path, answers }
}

function addUser(store: Store, externalUserId: string): void {
  const insert = 'insert into user (user_id, external_hash, created_at_ms) values (?, ?, ?)'
  store.run(insert, crypto.randomUUID(), store.hashExternalId(externalUserId), Date.now())
}

function startImport(
  { folder, timeoutMs, program }: RehearsalOptions,
  sandbox: Sandbox,
  path: string,
): ChildProcess {
  const words = [
    'answers',
    'import',
    path,
    '--results',
    dirname(path),
    '--batch-size',
    '3',
    '--max-concurrency',
    '8',
    '--confirm',
    'development',
  ]
  return startProgram([...words, '--timeout', `${timeoutMs}ms`, '--quiet'], {
    folder,
    url: sandbox.url,
    key: sandbox.keys.development.key,
    program,
    stderr: process.env['REHEARSAL_DEBUG'] ? 'inherit' : 'ignore',
  })
}

/** Checks that the journal of a killed import can be read and contains every row. */
async function assertSums(folder: string): Promise<void> {
  for (const { header, totals, status } of await listImports(join(folder, 'state'))) {
    if (status === 'damaged' || !header || !totals) throw new Error(`a kill left an import ${status}`)
    const { rows, accepted, rejected, unknown, unsent } = countStates(header, totals)
    if (unsent < 0 || accepted + rejected + unknown + unsent !== rows)
      throw new Error('the states do not add up')
  }
}

/** Compares the stored answers with the file. An unknown row is correct whether it is stored or not. */
function verify(
  store: Store,
  { folder, answers }: Input,
): Pick<Outcome, 'lost' | 'duplicated' | 'disordered'> {
  const unknown = new Set(
    readLines(join(folder, 'answers.unknown.csv')).map((line) => Number(line.split(',')[4])),
  )
  const counts = { lost: 0, duplicated: 0, disordered: 0 }
  for (const [user, rows] of answers) {
    const stored = storedAnswers(store, user)
    const expected = rows.filter(({ line }) => !unknown.has(line)).map(({ text }) => text)
    const all = rows.map(({ text }) => text)
    counts.lost += missingFrom(stored, expected)
    counts.duplicated += missingFrom(all, stored)
    if (!isSubsequence(stored, all)) counts.disordered++
  }
  return counts
}

function storedAnswers(store: Store, user: string): string[] {
  return store
    .all<{ lookup_key: string; value: number }>(
      `select lookup_key, value from answer join user using (user_id) where external_hash = ? order by sequence`,
      store.hashExternalId(user),
    )
    .map(({ lookup_key, value }) => `${lookup_key} ${value}`)
}

/** Number of texts in `wanted` that are missing in `there`. A text that occurs twice in `wanted` must occur twice in `there`. */
function missingFrom(there: readonly string[], wanted: readonly string[]): number {
  const left = [...there]
  return wanted.filter((text) => {
    const at = left.indexOf(text)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  }).length
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0
  for (const text of whole) if (part[at] === text) at++
  return at === part.length
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').trim().split('\n').slice(1)
  } catch {
    return []
  }
}

function readSummary(folder: string): Summary {
  return JSON.parse(readFileSync(join(folder, 'answers.summary.json'), 'utf8'))
}
