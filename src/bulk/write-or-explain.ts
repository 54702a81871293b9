import { renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { systemCode } from '../base/errors.ts'
import { cannotWrite, makeDirectory } from '../base/files.ts'

/**
 * Runs a write operation. An error of the system becomes an error with a hint. `otherPlace` is another way to continue; state
 * has none, because an import would start over in another state directory.
 */
export function writeOrExplain<T>(path: string, write: () => T, otherPlace = ''): T {
  const fail = (cause: unknown) => {
    const isMissing = systemCode(cause) === 'ENOENT'
    const advice = isMissing ? 'Create the directory' : 'Check the free disk space and the file permissions'
    throw cannotWrite(path, cause, `${advice}${otherPlace}, then run the same command again.`)
  }
  try {
    const written = write()
    return written instanceof Promise ? (written.catch(fail) as T) : written
  } catch (cause) {
    return fail(cause)
  }
}

/** Replaces a file that only its owner can read: a reader sees the old or the new text, also after a crash. */
export function replaceFile(path: string, text: string): void {
  makeDirectory(dirname(path))
  writeFileSync(`${path}.new`, text, { mode: 0o600, flush: true })
  renameSync(`${path}.new`, path)
}
