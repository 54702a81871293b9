import { cpSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createInterrupts } from '../../src/context/interrupts.ts'
import type { Command } from '../../src/framework/define-command.ts'
import { loadCommands } from '../../src/routes/routes.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts'
import { clockThatEnds } from './clock.ts'
import { createMachine, type Machine, type Ran, type RunOptions } from './facescan.ts'

/**
 * Requirements of some examples. Each requirement has a pattern that matches the command lines. All other examples run on every machine.
 */
const needs = {
  /** Examples that need a browser or a clipboard. */
  desktop: /--(open|copy)\b/,
  /** Ctrl-C, because the command does not end. */
  interrupt: /\bserve\b|--watch\b|--wait\b/,
  /** Input from another program. */
  pipe: / \| facescan /,
  /** Examples that need answers to prompts. */
  prompt: /^facescan (demo|sandbox reset|profiles add ACME-DEV --base-url \S+)$/,
  /** Examples that need a keyring, or a program that prints the key. */
  'key store': /--store keyring|^pass |"op read /,
  /** An import that was stopped. */
  'stopped import': /\bimports resume\b/,
  /** An import whose answers are all saved. */
  'finished import': /\bimports verify\b/,
} as const

type Need = keyof typeof needs

/** An example from the help of a command. */
export interface Example {
  /** Name of the command, such as `users create`. */
  name: string
  command: Command
  /** The command line as the help shows it. */
  line: string
}

export async function allExamples(): Promise<Example[]> {
  const commands = await loadCommands()
  return commands.flatMap(({ name, command }) => command.examples.map((line) => ({ name, command, line })))
}

/** The examples that have no requirements other than those in `provided`. */
export async function usableExamples(provided: readonly Need[] = []): Promise<Example[]> {
  const missing = (Object.keys(needs) as Need[]).filter((need) => !provided.includes(need))
  return (await allExamples()).filter((example) => !missing.some((need) => needs[need].test(example.line)))
}

/** Pairs of a command line and its example. `test.each` prints the command line in the title. */
export function byLine(examples: readonly Example[]): [string, Example][] {
  return examples.map((example) => [example.line, example])
}

export function firstOfEach(examples: readonly Example[]): Example[] {
  return examples.filter(({ name }, index) => examples.findIndex((one) => one.name === name) === index)
}

/** Splits a line at spaces outside quotes. Removes the quotes. */
function splitLine(line: string): string[] {
  const words = line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'))
}

/** The words of the last facescan command in a line, without redirections. `source` is the command before the pipe. */
function partsOf(line: string): { words: string[]; source: string | undefined } {
  const [source, last = source] = line.split(/ \| (?=facescan )/)
  const words = splitLine((last ?? '').replace(/ (>|&&).*/, ''))
  return { words: words.slice(1), source: source === last ? undefined : source }
}

export const exampleUserId = '5151d12e-2f9a-4d7a-962f-fd85d23bd68b'
export const exampleScanId = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

const rows = 'external_user_id,lookup_key,value,timezone'

/** The content of the input files in the examples, by name. Each file contains one user. */
export function inputFiles(user = '4711'): Record<string, string | Buffer> {
  return {
    'answers.csv': `${rows}\n${user},weight,80,UTC\n${user},height,170,UTC\n`,
    'large.csv.gz': gzipSync(`${rows}\n${user},weight,80,UTC\n`),
    'export.csv': `Patient no,lookup_key,value\n${user},weight,82\n`,
    'staff.csv': `external_user_id,email,sex\n${user},ada@example.com,F\n`,
    'survey.csv': `external_user_id,sex,weight\n${user},F,72\n`,
    'leavers.csv': `external_user_id\n${user}\n`,
    'staff.users.csv': `external_user_id,status\n${user},created\n`,
    'staff.links.csv': `external_user_id,url,invited_at\n${user},https://scan.example.com/1,2026-01-01T00:00:00Z\n`,
  }
}

export function writeInputFiles(folder: string, user?: string): void {
  for (const [name, text] of Object.entries(inputFiles(user))) writeFileSync(join(folder, name), text)
}

const inputNames = Object.keys(inputFiles())
const outputNames = ['results/', 'ce-label.png', 'facescan-support.json']

/** Values that replace texts in the examples, such as the user ID 4711. Other texts stay. */
export interface Values {
  /** Path of an input file. */
  input?: (name: string) => string
  /** Path of an output file, or of the directory with the results of imports. */
  output?: (name: string) => string
  serviceUrl?: string
  /** URL of `facescan sandbox serve`. */
  sandboxUrl?: string
  externalUserId?: string
  userId?: string
  scanId?: string
  importId?: string
}

/** Replaces the values of the examples, such as the user ID 4711, with the values of a test. */
export function fillIn(text: string, values: Values): string {
  const { input, output } = values
  const stand: Record<string, string | undefined> = {
    ...Object.fromEntries(inputNames.map((name) => [name, input?.(name)])),
    ...Object.fromEntries(outputNames.map((name) => [name, output?.(name)])),
    'https://api.example.com': values.serviceUrl,
    'http://127.0.0.1:4010': values.sandboxUrl,
    [exampleUserId]: values.userId,
    [exampleScanId]: values.scanId,
    '3f': values.importId,
    '4711': values.externalUserId,
  }
  const known = new Map(Object.entries(stand).filter(([, value]) => value !== undefined))
  if (known.size === 0) return text
  // All texts are replaced at the same time, because a new value can contain a text that must be replaced elsewhere.
  const texts = [...known.keys()].map((text) => `(?<!\\w)${text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}`)
  return text.replace(new RegExp(texts.join('|'), 'g'), (found) => known.get(found) ?? found)
}

/** Splits the last facescan command of a line into words, and fills in the values of a test. */
export function wordsOf(line: string, values: Values): string[] {
  return partsOf(line).words.map((word) => fillIn(word, values))
}

/** A machine with the data of the examples: user 4711 with scans and answers, profiles ACME and ACME-DEV, and import 3f. */
export interface World {
  /** Runs an example on a copy of the machine, so that examples cannot affect each other. */
  run(example: Example, extra?: readonly string[], options?: RunOptions): Promise<Ran>
  close(): Promise<void>
}

/** Creates the data that the examples use, and returns its identifiers. */
async function furnish({ facescan }: Machine, folder: string): Promise<Values> {
  const read = async (line: string) => JSON.parse((await facescan(`${line} --json`)).stdout)
  const weights = Array.from({ length: 9 }, (_, index) => `4711,weight,7${index},UTC\n`)
  writeFileSync(join(folder, 'parts.csv'), `${rows}\n4711,weight,81,UTC\n`)
  writeFileSync(join(folder, 'stopped.csv'), `${rows}\n${weights.join('')}`)
  const { user_id } = await read('users create 4711 --sex F --birth-date 1984-02-29')
  await facescan('sandbox scan 4711 --count 3 --days 300 --seed 7')
  await facescan('answers save height=170 --external-user-id 4711 --timezone UTC')
  for (const shard of ['1/2', '2/2'])
    await facescan(`answers import ${folder}/parts.csv --shard ${shard} --results ${folder}/results`)
  // The import stops when it waits for its second request.
  const stopped = `answers import ${folder}/stopped.csv --batch-size 1 --rate 1/s --max-time 1h`
  await facescan(stopped, { clock: clockThatEnds() })
  const imports: { id: string; status: string }[] = await read('imports list')
  const [{ face_scan_id }] = await read('biomarkers latest 4711')
  return {
    userId: user_id,
    scanId: face_scan_id,
    importId: imports.find(({ status }) => status === 'stopped')!.id,
  }
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
  writeInputFiles(folder)
  const values = await furnish(machine, folder)
  const bare = copyOf(machine)
  const sandbox = await startSandbox({ strict: true, database: join(machine.home, 'state/sandbox.db') })
  await addProfiles(machine, sandbox)
  return {
    async run({ name, command, line }, extra = [], options = {}) {
      const { words: typed, source } = partsOf(line)
      const own = copyOf(typed.join(' ').startsWith('profiles add') ? bare : machine)
      const copy = join(own.home, 'work')
      cpSync(folder, copy, { recursive: true })
      const words = wordsOf(line, {
        ...values,
        serviceUrl: sandbox.url,
        sandboxUrl: sandbox.url,
        input: (file) => join(copy, file),
        output: (file) => join(copy, file),
        ...(command.user === 'new' && { externalUserId: '4712' }),
      })
      const anyPort = name === 'sandbox serve' ? ['--port', '0'] : []
      const stdin = options.stdin ?? (await pipe(own, source))
      return runToEnd(own, [...words, ...anyPort, ...extra], { ...options, stdin })
    },
    close: () => sandbox.close(),
  }
}

function copyOf(machine: Machine): Machine {
  const copy = createMachine()
  cpSync(machine.home, copy.home, { recursive: true })
  return copy
}

/** The output of the command before the pipe. */
async function pipe({ facescan }: Machine, source: string | undefined): Promise<string> {
  if (source === undefined) return ''
  const [program, ...words] = splitLine(source)
  if (program === 'facescan') return (await facescan(words)).stdout
  return program === 'echo' ? `${words.join(' ')}\n` : 'k'.repeat(40)
}

/** Whether the line selects an output that is not the command's default. */
export function choosesOutput({ name, command, line }: Example): boolean {
  const runsOther = !partsOf(line).words.join(' ').startsWith(name)
  // In `profiles set`, --output stores a default format, so a test cannot select the output format of the command itself.
  return runsOther || 'output' in command.options || / (-o|--output|--json|--jq|--dry-run)\b| > /.test(line)
}

/** Examples that fail on a test machine, with their exit codes and the reasons. All other examples must succeed. */
export const failures: Readonly<Record<string, [exitCode: number, reason: string]>> = {
  'facescan scan-url 4711 --qr --wait': [130, 'no scan is recorded before Ctrl-C'],
  'facescan profiles add ACME-DEV --base-url https://api.example.com': [
    2,
    'the prompt for the key needs a terminal',
  ],
  'pass show acme | facescan profiles add ACME --key-stdin --base-url https://api.example.com': [
    3,
    'the service does not know the key',
  ],
  'facescan profiles add ACME --key-command "op read op://vault/acme/key" --base-url https://api.example.com --replace':
    [13, 'the program op is not installed'],
  'facescan profiles move-key ACME --store keyring': [13, 'there is no keyring'],
  'facescan imports verify 3f': [10, 'the import was stopped before its last rows'],
  'facescan sandbox serve --port 4010 --latency 50ms --fail 503:0.05': [130, 'the server runs until Ctrl-C'],
  'facescan sandbox reset': [12, 'the prompt needs a terminal'],
}

/** Runs a command until it ends. Sends Ctrl-C to a command that does not end, such as `sandbox serve`. */
async function runToEnd({ facescan }: Machine, words: string[], options: RunOptions): Promise<Ran> {
  const interrupts = createInterrupts()
  const isEndless = needs.interrupt.test(words.join(' '))
  const timer = isEndless ? setInterval(() => interrupts.receive('SIGINT'), 5_000) : undefined
  try {
    return await facescan(words, { interrupts, ...options })
  } finally {
    clearInterval(timer)
  }
}
