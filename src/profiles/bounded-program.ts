import { type ChildProcess, spawn } from 'node:child_process'
import type { Environment } from '../base/io.ts'
import { childEnvironment } from '../base/system/child-environment.ts'

export interface ProgramBounds {
  timeoutMs: number
  /** Maximum size of standard output, in bytes. */
  maxOutput: number
}

export interface ProgramResult {
  /** Undefined if the program was stopped or could not be started. */
  exitCode: number | undefined
  stdout: string
  stderr: string
  stopped: 'time' | 'output' | 'not started' | undefined
}

/** Runs a program, or a shell command if `args` is undefined, within the bounds. */
export function runBounded(
  program: string,
  args: readonly string[] | undefined,
  options: { env: Environment; input?: string | undefined; bounds: ProgramBounds },
): Promise<ProgramResult> {
  const child = spawn(program, args ?? [], {
    shell: args === undefined,
    env: childEnvironment(options.env),
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    windowsHide: true,
  })
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(options.input)
  return collect(child, options.bounds)
}

function collect(child: ChildProcess, { timeoutMs, maxOutput }: ProgramBounds): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    let stderr = ''

    const finish = (exitCode: number | undefined, stopped: ProgramResult['stopped']) => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      // A grandchild may keep the pipes open after its parent ended.
      child.stdout?.destroy()
      child.stderr?.destroy()
      child.unref()
      resolve({ exitCode, stopped, stdout: Buffer.concat(chunks).toString('utf8'), stderr })
    }
    const timer = setTimeout(() => finish(undefined, 'time'), timeoutMs)

    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxOutput) finish(undefined, 'output')
      else chunks.push(chunk)
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString('utf8')).slice(-4_096)
    })
    child.on('error', () => finish(undefined, 'not started'))
    child.on('close', (exitCode) => finish(exitCode ?? undefined, undefined))
  })
}
