import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { Clock } from '../../src/base/clock.ts'
import type { Input, Output } from '../../src/base/io.ts'
import { main } from '../../src/cli/main.ts'
import { createInterrupts, type Interrupts } from '../../src/context/interrupts.ts'
import { realClock } from './clock.ts'

export interface Ran {
  exitCode: number
  stdout: string
  stderr: string
  /** stdout as bytes, for binary output. */
  bytes: Buffer
}

export interface RunOptions {
  stdin?: string
  /** Lines that are typed on a terminal with plain prompts (ACCESSIBLE), one after each prompt. After the last line, the input ends. */
  answers?: readonly string[]
  env?: Record<string, string>
  /** Whether the streams report that they are a terminal (default false). */
  terminal?: boolean
  columns?: number
  clock?: Clock
  random?: () => number
  interrupts?: Interrupts
  /** Replaces the main function of the program, for example to run a command that only a test defines. */
  main?: typeof main
}

/** A machine with its own home directory, so a test does not use the developer's profiles. The default profile is the sandbox. */
export interface Machine {
  home: string
  env: Record<string, string>
  /** Runs a command line in this process, against the real sandbox. If `line` is a text, it is split at spaces. */
  facescan(line: string | readonly string[], options?: RunOptions): Promise<Ran>
}

export function createMachine(base: Record<string, string> = {}): Machine {
  const home = mkdtempSync(join(tmpdir(), 'facescan-test-'))
  const env = {
    HOME: home,
    FACESCAN_CONFIG_DIR: join(home, 'config'),
    FACESCAN_STATE_DIR: join(home, 'state'),
    ...base,
  }
  selectSandbox(join(home, 'config'))
  return {
    home,
    env,
    facescan: (line, options) => run(line, { ...options, env: { ...env, ...options?.env } }),
  }
}

/** Does the same as `facescan profiles use SANDBOX-DEV`. Without a terminal, a change requires a selected profile. */
function selectSandbox(config: string): void {
  mkdirSync(config, { recursive: true, mode: 0o700 })
  const file = { version: 1, default: 'SANDBOX-DEV', profiles: {} }
  writeFileSync(join(config, 'profiles.json'), JSON.stringify(file), { mode: 0o600 })
}

async function run(line: string | readonly string[], options: RunOptions): Promise<Ran> {
  const [stdout, stderr] = [collector(options), collector(options)]
  const stdin: Input = new PassThrough()
  stdin.push(options.stdin ?? '')
  // A terminal stays open after the typed text. A pipe or a file ends.
  if (!options.terminal) stdin.push(null)
  stdin.isTTY = options.terminal ?? false
  if (options.answers) answerPrompts(stdin, stderr.stream, options.answers)
  const run = options.main ?? main
  const exitCode = await run(typeof line === 'string' ? line.split(' ').filter(Boolean) : line, {
    io: { stdin, stdout: stdout.stream, stderr: stderr.stream },
    env: options.env ?? {},
    clock: options.clock ?? realClock,
    random: options.random ?? Math.random,
    interrupts: options.interrupts ?? createInterrupts(),
  })
  const bytes = stdout.bytes()
  return { exitCode, stdout: bytes.toString('utf8'), stderr: stderr.bytes().toString('utf8'), bytes }
}

function answerPrompts(stdin: Input, stderr: Output, answers: readonly string[]): void {
  const left = [...answers]
  stderr.on('data', (chunk: Buffer) => {
    if (!chunk.toString().endsWith(': ')) return
    const answer = left.shift()
    setImmediate(() => stdin.push(answer === undefined ? null : `${answer}\n`))
  })
}

function collector({ terminal = false, columns = 80 }: RunOptions): { stream: Output; bytes(): Buffer } {
  const stream: Output = new PassThrough()
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  stream.isTTY = terminal
  stream.columns = columns
  // A prompt calls end() on its output stream. A terminal ignores end(), and this stream must do the same, so that it stays open.
  stream.end = () => stream
  return { stream, bytes: () => Buffer.concat(chunks) }
}
