import { onTestFinished } from 'vitest'
import type { Clock } from '../../../src/base/clock.ts'
import type { RunEnd } from '../../../src/bulk/engine/engine.ts'
import { type JournalFile, journalPath, openJournalFile } from '../../../src/bulk/journal/file.ts'
import { Journal } from '../../../src/bulk/journal/journal.ts'
import type { CheckpointRecord, JournalRecord } from '../../../src/bulk/journal/record.ts'
import { type RecoveredJournal, recoverJournal } from '../../../src/bulk/journal/recovery.ts'
import { addJournalRows } from '../../../src/bulk/results/journal-rows.ts'
import type { ResultWriter } from '../../../src/bulk/results/result-file.ts'
import { AnswerService } from '../../../src/bulk/send/api-service.ts'
import { Run, type RunOptions } from '../../../src/bulk/send/run.ts'
import { ServiceClock, samplesNeeded } from '../../../src/bulk/service-clock.ts'
import type { Answer, Batch, UserKind } from '../../../src/bulk/types.ts'
import { createApi } from '../../../src/http/client.ts'
import { createDispatcher } from '../../../src/http/dispatcher.ts'
import { transport } from '../../../src/http/transport.ts'
import { temporaryFolder } from '../../helpers/folder.ts'
import {
  type HostileServer,
  hostileServer,
  type RawRequest,
  reply,
  type Script,
  type Step,
  setTimes,
  timeOfSending,
} from '../../helpers/hostile-server.ts'
import { header } from '../header.ts'

/** The batches for rows in the form `user key value`. Each batch contains rows of one user. */
export function batchesOf(
  rows: readonly string[],
  { batchSize = 100, kind = 'external_user_id' as UserKind } = {},
): Batch[] {
  const answers = rows.map((line, row): Answer => {
    const [id = '', lookup_key = '', value] = line.split(' ')
    return {
      row,
      line: row + 2,
      offset: row,
      user: { kind, id },
      lookup_key,
      value: Number(value),
      timezone: 'UTC',
    }
  })
  const users = new Map<string, Answer[]>()
  for (const answer of answers) users.set(answer.user.id, [...(users.get(answer.user.id) ?? []), answer])
  const groups = [...users.values()].flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / batchSize) }, (_, n) =>
      all.slice(n * batchSize, (n + 1) * batchSize),
    ),
  )
  return groups.map((group, id) => ({ id, user: (group[0] as Answer).user, rows: group }))
}

/** A result file that keeps its rows in memory. */
function collect(into: string[]): Pick<ResultWriter, 'add'> {
  return {
    add: ({ line }, [reason], key) => void into.push(`${line} ${key} ${reason?.code}: ${reason?.message}`),
  }
}

/**
 * A clock whose time advances only during sleeps. A sleep returns immediately. The clock ignores real time, because a busy machine can
 * stop this process for seconds.
 */
export function hurriedClock() {
  let time = Date.now()
  const sleeps: number[] = []
  const now = () => time
  return {
    sleeps,
    now,
    monotonic: now,
    sleep: async (ms: number, signal?: AbortSignal) => {
      sleeps.push(ms)
      // Several tasks can sleep at the same time, so the time advances to the end of the longest sleep. The sleeps are not added.
      const end = time + ms
      await new Promise((resolve) => setImmediate(resolve))
      time = Math.max(time, end)
      signal?.throwIfAborted()
    },
  }
}

/** A run that a test can kill. */
class Life {
  isOver = false
  end: () => void = () => undefined
  readonly ended = new Promise<RunEnd>((resolve) => {
    this.end = () => {
      this.isOver = true
      resolve({ done: false, error: new Error('killed') })
    }
  })

  /** A copy of the object. After the run was killed, the functions append, sync, and sleep of this copy never return. */
  during<T extends object>(object: T): T {
    const guard = (name: string, call: (...rest: unknown[]) => unknown) =>
      ['append', 'sync', 'sleep'].includes(name)
        ? (...rest: unknown[]) => (this.isOver ? new Promise(() => undefined) : call(...rest))
        : call
    const entries = Object.entries(object).map(([name, value]) => [
      name,
      typeof value === 'function' ? guard(name, value) : value,
    ])
    return Object.fromEntries(entries)
  }
}

/** A journal that passes each record to a callback of the test. */
class ObservedJournal extends Journal {
  readonly #onRecord: (record: JournalRecord) => void

  constructor(
    file: JournalFile,
    recovered: RecoveredJournal | undefined,
    onRecord: (record: JournalRecord) => void,
  ) {
    super(file, recovered)
    this.#onRecord = onRecord
  }

  override append(record: JournalRecord): void {
    this.#onRecord(record)
    super.append(record)
  }
}

export interface Sent {
  checkpoint: CheckpointRecord | undefined
  end: RunEnd
  /** Numbers of accepted, rejected, unknown, and unfinished rows. */
  totals: [number, number, number, number]
  rejects: string[]
  unknown: string[]
  sleeps: number[]
  /** Bodies of the POST requests as `user: key=value …`. */
  posts: string[]
  server: HostileServer
  folder: string
  run: Run
}

export interface SendOptions extends Partial<Omit<RunOptions, 'input'>> {
  /** Directory of an earlier run. The new run resumes from the journal in this directory. */
  folder?: string
  clock?: ReturnType<typeof hurriedClock>
  /** The run is killed after this number of POST requests. From then on, it does not write, send, or wait. */
  killAt?: number
  onRecord?: (record: JournalRecord) => void
  url?: string
  hasBothIds?: boolean
  /** Whether an earlier run measured the service's clock, and it agreed with the `Date` header (default true). */
  isMeasured?: boolean
  /** Whether an earlier response contained the time of the service (default true). */
  isTimeKnown?: boolean
  /** Whether an earlier list of answers contained two answers to one question (default true). */
  listsHistory?: boolean
}

function measure(serviceClock: ServiceClock): void {
  const [zone, now] = [serviceClock.zone('UTC'), Math.round(serviceClock.now())]
  for (let n = 0; n < samplesNeeded; n++) {
    zone.reserve(now)
    zone.add([now + n], now, now + samplesNeeded)
  }
}

/** Moves the times in a response to the test's clock: the `Date` header, and times in UTC in the body. */
function hurry(steps: readonly Step[], clock: Pick<Clock, 'now'>): Step[] {
  const later = (time: string) => new Date(Date.parse(time) + clock.now() - Date.now())
  return steps.map((step) => {
    if (step.do !== 'send' || typeof step.bytes !== 'string') return step
    const bytes = step.bytes
      .replace(/^date: (?!now)(.*)$/m, (_, time) => `date: ${later(time).toUTCString()}`)
      .replace(/(?<="local_timestamp":")(?!0000)[^"]{23}(?=Z|\+00:00)/g, (time) =>
        later(`${time}Z`).toISOString().slice(0, -1),
      )
    return { ...step, bytes: setTimes(bytes, clock.now()) }
  })
}

/** Sends batches with the real client over TCP to a scripted server. */
export async function sendTo(
  script: Script,
  batches: readonly Batch[],
  options: SendOptions = {},
): Promise<Sent> {
  const { clock = hurriedClock(), killAt } = options
  const life = new Life()
  let posts = 0
  const server = await hostileServer(async (request) => {
    const steps = hurry([await script(request)].flat(), clock)
    if (request.method === 'POST' && ++posts === killAt) life.end()
    return steps
  })
  const baseUrl = new URL(options.url ?? server.url)
  const dispatcher = createDispatcher({
    origin: baseUrl.origin,
    env: {},
    connectTimeoutMs: 10_000,
    connections: 256,
  })
  const serviceClock = new ServiceClock(clock)
  // A real import gets the time of the service from the response with the lookup keys. The tests set this time here.
  if (options.isTimeKnown !== false) serviceClock.observe(new Date(clock.now()).toUTCString())
  if (options.isMeasured !== false) measure(serviceClock)
  serviceClock.listsHistory = options.listsHistory ?? true
  const timeoutMs = options.timeoutMs ?? 5000
  const { signal } = new AbortController()
  const attempt = transport({ dispatcher, timeoutMs, signal })
  const { attempt: send } = createApi({
    baseUrl,
    credential: { kind: 'key', value: 'k'.repeat(40), source: 'the test' },
    userAgent: 'test',
    call: attempt,
    attempt,
  })
  const { folder = temporaryFolder() } = options
  const recovered = options.folder ? await recoverJournal(journalPath(folder)) : undefined
  const file = life.during(await openJournalFile(folder, recovered?.goodBytes ?? 0))
  const journal = new ObservedJournal(file, recovered, options.onRecord ?? (() => {}))
  if (!recovered) await journal.commit(header)
  const [rejects, unknown]: [string[], string[]] = [[], []]
  const run = new Run({
    input: {
      hasBothIds: options.hasBothIds ?? false,
      batches: () => batches,
    },
    journal,
    service: new AnswerService({ send, serviceClock, timeoutMs, pageParameter: 'page' }),
    serviceClock,
    writers: { findConcurrentWriter: async () => undefined },
    lock: { ensureHeld: () => undefined },
    random: () => 1,
    timeoutMs,
    maxConcurrency: 8,
    onAmbiguous: 'hold',
    maxWaitMs: 3_600_000,
    drain: new AbortController().signal,
    ...options,
    clock: life.during(clock),
  })
  const end = await Promise.race([run.execute(), life.ended])
  // If the test passes its own journal, the run does not use this file and does not close it.
  if (life.isOver || options.journal) await file.close()
  await dispatcher.destroy()
  // Requests of the killed run must not reach the server during the next run.
  if (life.isOver) await server.close()
  else onTestFinished(() => server.close())
  const { accepted, rejected, unknown: unknownRows, open } = journal.state.totals
  // The state that is read from the journal must be the same as the state of the run.
  const { state: reread } = await recoverJournal(journalPath(folder))
  if (!life.isOver)
    await addJournalRows(journal.state, batches, { rejects: collect(rejects), unknown: collect(unknown) })
  if (!life.isOver && JSON.stringify(reread.totals) !== JSON.stringify(journal.state.totals))
    throw new Error('journal and run disagree')
  return {
    end,
    totals: [accepted, rejected, unknownRows, open],
    checkpoint: journal.state.checkpoint,
    rejects,
    unknown,
    sleeps: clock.sleeps,
    posts: server.requests.filter(({ method }) => method === 'POST').map(describePost),
    server,
    folder,
    run,
  }
}

/** Writes the records of a killed run to a journal. Returns the directory of the journal. */
export async function journalWith(records: readonly JournalRecord[]): Promise<string> {
  const folder = temporaryFolder()
  const file = await openJournalFile(folder, 0)
  const journal = new Journal(file)
  for (const record of [header, ...records]) await journal.commit(record)
  await file.close()
  return folder
}

export function userOf({ target }: RawRequest): string {
  const query = new URL(target, 'http://x').searchParams
  return query.get('external_user_id') ?? query.get('user_id') ?? ''
}

function answersIn({ body }: RawRequest): { lookup_key: string; value: number }[] {
  return [JSON.parse(body)].flat()
}

export function describePost(request: RawRequest): string {
  const pairs = answersIn(request).map(({ lookup_key, value }) => `${lookup_key}=${value}`)
  return `${userOf(request)}: ${pairs.join(' ')}`
}

/** The response that confirms the answers of a request (spec 4.5). */
export function confirmed(request: RawRequest, headers = {}, userId = idIn(request)): Step {
  if (request.method === 'GET') return reply(404, { detail: 'not found' })
  const sent: unknown = JSON.parse(request.body)
  const items = answersIn(request).map(({ lookup_key, value }) => ({ lookup_key, value, user_id: userId }))
  return reply(201, Array.isArray(sent) ? items : items[0], headers)
}

function idIn(request: RawRequest): string {
  const user = userOf(request)
  return request.target.includes('external_user_id=') ? idOf(user) : user
}

/** A different UUID for each external user ID. */
export function idOf(user: string): string {
  return `00000000-0000-4000-8000-${Buffer.from(user).toString('hex').padStart(12, '0')}`
}

/** A time in the time zone +01:00. `sendTo` adjusts only times in UTC to the test's clock, so this time stays unchanged. */
export const unmoved = (at: number) => new Date(at + 3_600_000).toISOString().replace('Z', '+01:00')

/** A page of answers that all have the time `at` (default: just before the response). */
export function listed(answers: readonly { lookup_key: string; value: number }[], at?: number) {
  const time = at === undefined ? timeOfSending : new Date(at).toISOString().slice(0, -1)
  const items = answers.map(({ lookup_key, value }) => ({
    question_lookup_key: lookup_key,
    answer: value,
    local_timestamp: `${time}+00:00`,
  }))
  const pagination = { page: 1, page_size: 50, total_pages: 1, total_items: items.length, next_page: null }
  return reply(200, { items, pagination })
}

/** A service that saves and lists answers. If `misbehave` returns a response, the service sends this response instead. */
export function obedient(
  misbehave: (request: RawRequest, save: () => void) => ReturnType<Script> | undefined,
): Script {
  const stored = new Map<string, { lookup_key: string; value: number }[]>()
  return (request) => {
    const user = userOf(request)
    const save = () => void stored.set(user, [...(stored.get(user) ?? []), ...answersIn(request)])
    const special = misbehave(request, save)
    if (special !== undefined) return special
    if (request.target.startsWith('/v2/questions/all')) return reply(200, ['height'])
    if (request.method === 'GET') return listed(stored.get(user) ?? [])
    save()
    return confirmed(request)
  }
}
