import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { getAsset, isSea } from 'node:sea'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { systemCode } from './errors.ts'
import { makeDirectory } from './files.ts'
import { orUndefined } from './functions.ts'
import { assertOwnDirectory, type Paths } from './paths.ts'

declare const FACESCAN_VERSION: string | undefined

/** The package version, which the build defines. If the program runs from source, the version is `0.0.0-dev`. */
export const version = typeof FACESCAN_VERSION === 'string' ? FACESCAN_VERSION : '0.0.0-dev'

/** The folder of this package, above both `src` and `dist`. */
function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

/** Reads a text file of this package. In the single executable, the file is an embedded asset. */
export function readPackageFile(path: string): string {
  return isSea() ? getAsset(path, 'utf8') : readFileSync(join(packageRoot(), path), 'utf8')
}

/**
 * Limits the memory of this process. By default, the heap can grow to four times the size of the live objects before V8 collects garbage.
 * With this limit, V8 collects garbage more often. An import from a service without latency then takes about 8 % longer.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=10')
}

/** Whether a process with this ID is running on this machine, under any user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
}

/**
 * Writes a file for a bug report: error class, stack frames, versions, and the name of the command. Writes no messages, because the
 * message of an unexpected error may contain user data. Returns the path. Returns undefined if the file cannot be written.
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
