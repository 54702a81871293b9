import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from '../../src/command/define-command.ts'
import { createInterrupts } from '../../src/context/interrupts.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts'
import { loadCommands } from '../../src/tree/tree.ts'
import { createMachine, type Machine, type Ran, type RunOptions } from './facescan.ts'

/** One example from the help of a command. Every test that covers all commands uses the examples, so a new command needs no list. */
export interface Example {
  /** Such as `users create`. */
  name: string
  command: Command
  /** The line as the help shows it. */
  line: string
}

export async function allExamples(): Promise<Example[]> {
  const commands = await loadCommands()
  return commands.flatMap(({ name, command }) => command.examples.map((line) => ({ name, command, line })))
}

/** Splits a line at spaces that are not in quotes, and removes the quotes. */
function splitLine(line: string): string[] {
  const words = line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'))
}

/** The last facescan command of a line without redirections, and the program that is piped to it. */
export function partsOf(line: string): { words: string[]; source: string | undefined } {
  const [source, last = source] = line.split(/ \| (?=facescan )/)
  const words = splitLine((last ?? '').replace(/ (>|&&).*/, ''))
  return { words: words.slice(1), source: source === last ? undefined : source }
}

/** Texts of the examples and their values in a test. */
export type Stand = readonly (readonly [text: string, value: string])[]

export function replaceAll(word: string, stand: Stand): string {
  // In one pass, because a value can contain the text of another entry.
  const values = new Map(stand)
  const texts = [...values.keys()].map((text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
  return word.replace(new RegExp(texts.join('|'), 'g'), (text) => values.get(text) ?? text)
}

export const exampleUserId = '5151d12e-2f9a-4d7a-962f-fd85d23bd68b'
export const exampleScanId = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

/** A machine on which the examples are true: user 4711 with scans and answers, profiles ACME and ACME-DEV, import 3f. */
export interface World {
  /** Runs an example on a copy of the machine, so that examples do not affect each other. */
  run(example: Example, extra?: readonly string[], options?: RunOptions): Promise<Ran>
  close(): Promise<void>
}

const rows = 'external_user_id,lookup_key,value,timezone'

function writeFiles(folder: string): void {
  mkdirSync(join(folder, 'results'), { recursive: true })
  writeFileSync(join(folder, 'answers.csv'), `${rows}\n4711,weight,80,UTC\n4711,height,170,UTC\n`)
  writeFileSync(join(folder, 'earlier.csv'), `${rows}\n4711,weight,81,UTC\n`)
  writeFileSync(join(folder, 'export.csv'), 'Patient no,lookup_key,value\n4711,weight,82\n')
  writeFileSync(join(folder, 'staff.csv'), 'external_user_id,sex\n4711,F\n')
  writeFileSync(join(folder, 'leavers.csv'), 'external_user_id\n4711\n')
}

async function furnish(machine: Machine, folder: string): Promise<Stand> {
  const { facescan } = machine
  const read = async (line: string) => JSON.parse((await facescan(`${line} --json`)).stdout)
  const { user_id } = await read('users create 4711 --sex F --birth-date 1984-02-29')
  await facescan('sandbox scan 4711 --count 3 --days 300 --seed 7')
  await facescan('answers save height 170 --external-user-id 4711 --timezone UTC')
  await facescan(`answers import ${folder}/earlier.csv`)
  const [{ id }] = await read('imports list')
  for (const shard of ['1/2', '2/2'])
    await facescan(
      `answers import ${folder}/earlier.csv --again --shard ${shard} --results ${folder}/results`,
    )
  const [{ face_scan_id }] = await read('biomarkers latest 4711')
  return [
    [exampleUserId, user_id],
    [exampleScanId, face_scan_id],
    ['3f', id],
  ]
}

async function addProfiles({ facescan }: Machine, { keys, url }: Sandbox): Promise<void> {
  const flags = `--key-stdin --base-url ${url} --store file --no-verify`
  await facescan(`profiles add ACME ${flags}`, { stdin: keys.production.key })
  await facescan(`profiles add ACME-DEV ${flags}`, { stdin: keys.development.key })
  await facescan('profiles set ACME --protect read-only')
}

export async function createWorld(): Promise<World> {
  const machine = createMachine()
  const folder = mkdtempSync(join(tmpdir(), 'facescan-examples-'))
  writeFiles(folder)
  const stand = await furnish(machine, folder)
  const bare = copyOf(machine)
  const sandbox = await startSandbox({ database: join(machine.home, 'state/sandbox.db') })
  await addProfiles(machine, sandbox)
  const addresses: Stand = [
    ['https://api.example.com', sandbox.url],
    ['http://127.0.0.1:4010', sandbox.url],
  ]
  const files = (copy: string): Stand =>
    ['answers.csv', 'export.csv', 'staff.csv', 'results/', 'ce-label.png', 'facescan-support.json'].map(
      (name) => [name, join(copy, name)],
    )
  return {
    async run({ name, command, line }, extra = [], options = {}) {
      const own = copyOf(name === 'profiles add' ? bare : machine)
      const copy = join(own.home, 'work')
      cpSync(folder, copy, { recursive: true })
      const isNew: Stand = command.user === 'new' ? [['4711', '4712']] : []
      const { words, source } = partsOf(line)
      const all = words.map((word) => replaceAll(word, [...stand, ...addresses, ...files(copy), ...isNew]))
      const stdin = options.stdin ?? (await pipe(own, source))
      return runToEnd(own, [...all, ...extra], { ...options, stdin })
    },
    close: () => sandbox.close(),
  }
}

function copyOf(machine: Machine): Machine {
  const copy = createMachine()
  cpSync(machine.home, copy.home, { recursive: true })
  return copy
}

/** Output of the program before the pipe. */
async function pipe({ facescan }: Machine, source: string | undefined): Promise<string> {
  if (source === undefined) return ''
  const [program, ...words] = splitLine(source)
  if (program === 'facescan') return (await facescan(words)).stdout
  return program === 'echo' ? `${words.join(' ')}\n` : 'k'.repeat(40)
}

/** Commands that end only with Ctrl-C get one soon, all others if they do not end. */
export const endless = /\bserve\b|--watch|--wait/

/** Whether the line itself chooses another output than the result of its command. */
export function choosesOutput({ name, line }: Example): boolean {
  const runsOther = !partsOf(line).words.join(' ').startsWith(name)
  return runsOther || / (-o|--output|--json|--jq|--dry-run)\b| > /.test(line)
}

/** Examples of these commands cannot succeed on a test machine. */
export const cannotSucceed: Readonly<Record<string, string>> = {
  'imports resume': 'needs an import that was stopped',
  'profiles move-key': 'needs a keyring',
}

async function runToEnd({ facescan }: Machine, words: string[], options: RunOptions): Promise<Ran> {
  const interrupts = createInterrupts()
  const patienceMs = endless.test(words.join(' ')) ? 1_000 : 90_000
  const timer = setInterval(() => interrupts.receive('SIGINT'), patienceMs)
  try {
    return await facescan(words, { interrupts, ...options })
  } finally {
    clearInterval(timer)
  }
}
