import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { childEnvironment, commandEnvironment, hasTerminal, killWithChildren } from '../base/children.ts'
import { ConfigurationError, UsageError } from '../base/errors.ts'
import type { Environment } from '../base/io.ts'
import { keysIn, redactProgramText } from '../base/mask.ts'
import { parseSecret, type Secret } from './secret.ts'

const maxOutputBytes = 64 * 1_024

const stopReasons = {
  time: 'did not finish in time',
  output: `printed more than ${maxOutputBytes} bytes`,
  'not started': 'could not be started, or was killed',
}

/** Throws if a command contains a key, because the profile file and the process list would contain it too. */
export function assertNoKey(command: string, secret?: Secret, flag = '--key-command'): void {
  const isKey = (secret && command.includes(secret.reveal())) || keysIn(command).length > 0
  if (!isKey) return
  throw new UsageError(`${flag} contains the key itself; nothing was stored`, {
    hint: 'Use a command that reads the key from a password manager, or store the key with --key-stdin.',
  })
}

interface KeyCommandOptions {
  timeoutMs?: number | undefined
  isStored?: boolean
  signal?: AbortSignal | undefined
}

/** Runs a key command and returns the printed key. A key command is, for example, a command line of a password manager. */
export async function readKeyFromCommand(
  command: string,
  name: string,
  env: Environment,
  { timeoutMs = 30_000, isStored = true, signal }: KeyCommandOptions = {},
): Promise<Secret> {
  if (!isStored) assertNoKey(command)
  const result = await runBounded(command, undefined, { env, timeoutMs, signal })
  const hint = isStored ? `${runYourself}. To change the command: ${change(name)}` : `${runYourself}.`
  const who = `the key command for ${name}`
  if (result.stopped) throw new ConfigurationError(`${who} ${stopReasons[result.stopped]}`, { hint })
  if (result.exitCode !== 0) {
    const reason = redactProgramText(result.stderr, result.stdout)
    throw new ConfigurationError(
      `${who} failed with exit code ${result.exitCode}${reason && `: ${reason}`}`,
      { hint },
    )
  }
  return parseSecret(result.stdout, `the output of the key command for ${name}`)
}

const runYourself = 'Run the command yourself to check that it prints only the key'

function change(name: string): string {
  return `facescan profiles set ${name} --key-command '…'`
}

interface ProgramResult {
  /** Exit code. Undefined if the program was stopped or could not be started. */
  exitCode: number | undefined
  stdout: string
  stderr: string
  stopped: 'time' | 'output' | 'not started' | undefined
}

interface Limits {
  env: Environment
  input?: string
  timeoutMs: number
  /** If the signal is aborted, the program is killed, and the promise rejects with the reason. */
  signal?: AbortSignal | undefined
}

/** Runs a program, and limits its duration and the size of its output. If `args` is undefined, `program` is a shell command. */
export async function runBounded(
  program: string,
  args: readonly string[] | undefined,
  { env, input = '', timeoutMs, signal }: Limits,
): Promise<ProgramResult> {
  signal?.throwIfAborted()
  const child = spawn(program, args ?? [], {
    shell: args === undefined,
    // If `args` is undefined, `program` is a shell command from the user. It can use all variables except secrets.
    env: args === undefined ? commandEnvironment(env) : childEnvironment(env),
    // On a terminal, the program stays in the process group of facescan, because a program in another process group cannot read a password
    // from the terminal.
    detached: !hasTerminal(),
    windowsHide: true,
  })
  const result: ProgramResult = { exitCode: undefined, stdout: '', stderr: '', stopped: undefined }
  const stop = (reason: ProgramResult['stopped']) => {
    result.stopped ??= reason
    killWithChildren(child)
  }
  const collect = (name: 'stdout' | 'stderr') => (text: string) => {
    result[name] += text
    if (result[name].length > maxOutputBytes) stop('output')
  }
  for (const name of ['stdout', 'stderr'] as const) child[name].setEncoding('utf8').on('data', collect(name))
  child.stdin.on('error', () => undefined).end(input)
  const timer = setTimeout(stop, timeoutMs, 'time')
  const abort = () => stop('not started')
  signal?.addEventListener('abort', abort)
  const [code] = await once(child, 'close').catch(() => [null])
  clearTimeout(timer)
  signal?.removeEventListener('abort', abort)
  signal?.throwIfAborted()
  if (result.stopped === undefined && code === null) result.stopped = 'not started'
  return { ...result, exitCode: result.stopped ? undefined : code }
}
