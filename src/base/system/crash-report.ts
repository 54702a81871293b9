import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { orUndefined } from '../or-undefined.ts'
import { version } from '../version.ts'
import { makeDirectory } from './make-directory.ts'
import { assertOwnDirectory } from './ownership.ts'
import type { Paths } from './paths.ts'

/**
 * Writes the facts for a bug report: class of the error, stack frames, versions, and name of the command. Contains no messages,
 * because the message of an unexpected error may quote data. Returns the path; undefined if the file cannot be written.
 */
export function writeCrashReport(
  error: unknown,
  { command, paths, now }: { command: string; paths: Paths; now: number },
): string | undefined {
  if (!paths.state) return undefined
  const directory = crashDirectory(paths.state)
  const file = join(directory, `${new Date(now).toISOString().replaceAll(':', '-')}.txt`)
  const lines = [
    `facescan ${version}, Node ${process.version}, ${process.platform} ${process.arch}`,
    `command: ${command}`,
    ...describe(error),
  ]
  return orUndefined(() => {
    assertOwnDirectory(directory)
    makeDirectory(directory)
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' })
    return file
  })
}

export function crashDirectory(state: string): string {
  return join(state, 'crashes')
}

function describe(error: unknown): string[] {
  if (!(error instanceof Error)) return [`thrown: ${typeof error}`]
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const cause = error.cause === undefined ? [] : ['caused by:', ...describe(error.cause)]
  return [error.name, ...frames, ...cause]
}
