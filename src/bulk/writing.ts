import { cannotWrite, systemCode } from '../base/system/system-code.ts'

/** Writes a file or a folder. A failure of the system becomes an error with a hint. */
export function writing<T>(path: string, write: () => T, otherPlace = ''): T {
  const fail = (cause: unknown) => {
    const isMissing = systemCode(cause) === 'ENOENT'
    const advice = isMissing ? 'Create the directory' : 'Check the free space and the permissions'
    throw cannotWrite(path, cause, `${advice}${otherPlace}, then run the same command again.`)
  }
  try {
    const written = write()
    return written instanceof Promise ? (written.catch(fail) as T) : written
  } catch (cause) {
    return fail(cause)
  }
}
