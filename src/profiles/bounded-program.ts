import { type ExecFileException, execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Environment } from '../base/io.ts'
import { childEnvironment, commandEnvironment } from '../base/process.ts'

export const maxOutputBytes = 64 * 1_024

interface ProgramResult {
  /** Undefined if the program was stopped or could not be started. */
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
  // Imported here, because most commands start no program and node:child_process is slow to load.
  const running = promisify(execFile)(program, args ?? [], {
    shell: args === undefined,
    // Without arguments, the program is a shell command that the user configured.
    env: args === undefined ? commandEnvironment(env) : childEnvironment(env),
    timeout: timeoutMs,
    signal,
    killSignal: 'SIGKILL',
    maxBuffer: maxOutputBytes,
    windowsHide: true,
  })
  running.child.stdin?.on('error', () => undefined).end(input)
  try {
    const ended = await running
    // A program that ended while this process was suspended: its time is over before its output is read.
    return { ...ended, exitCode: 0, stopped: running.child.killed ? 'time' : undefined }
  } catch (error) {
    signal?.throwIfAborted()
    const { stdout = '', stderr = '', code, killed } = error as ExecFileException
    if (typeof code === 'number') return { stdout, stderr, exitCode: code, stopped: undefined }
    const isTooLong = String(code) === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'
    return {
      stdout,
      stderr,
      exitCode: undefined,
      stopped: isTooLong ? 'output' : killed ? 'time' : 'not started',
    }
  }
}
