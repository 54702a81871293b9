import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { childEnvironment, commandEnvironment, hasTerminal, killWithChildren } from '../base/children.ts'
import type { Environment } from '../base/io.ts'

export const maxOutputBytes = 64 * 1_024

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
  /** Kills the program when the signal is aborted. The promise then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
}

/** Runs a program, or a shell command if `args` is undefined, for a limited time and with limited output. */
export async function runBounded(
  program: string,
  args: readonly string[] | undefined,
  { env, input = '', timeoutMs, signal }: Limits,
): Promise<ProgramResult> {
  signal?.throwIfAborted()
  const child = spawn(program, args ?? [], {
    shell: args === undefined,
    // Without arguments, the program is a shell command that the user configured.
    env: args === undefined ? commandEnvironment(env) : childEnvironment(env),
    // A program in its own process group cannot ask for a password on the terminal.
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
