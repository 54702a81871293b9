import { type ChildProcess, spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'

export interface ProgramOptions {
  /** Home directory, with the state and the configuration. */
  folder: string
  url: string
  key?: string
  /** Path of the program (default: the built program). */
  program?: string | undefined
  env?: Readonly<Record<string, string>> | undefined
  stderr?: 'ignore' | 'pipe' | 'inherit'
  /** The system user that runs the program (default: the current user). */
  uid?: number | undefined
}

/** Starts the program as a child process. The end of the test kills it. */
export function startProgram(words: readonly string[], options: ProgramOptions): ChildProcess {
  const { folder, url, key = 'k'.repeat(40), program, env, stderr = 'ignore', uid } = options
  const child = spawn(process.execPath, [program ?? resolve('bin/facescan.js'), ...words], {
    stdio: ['ignore', 'ignore', stderr],
    ...(uid !== undefined && { uid, gid: uid }),
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      FACESCAN_STATE_DIR: join(folder, 'state'),
      FACESCAN_CONFIG_DIR: join(folder, 'config'),
      FACESCAN_BASE_URL: url,
      FACESCAN_API_KEY: key,
      ...env,
    },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}
