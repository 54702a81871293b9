import { crc32 } from 'node:zlib'
import { systemCode } from '../base/errors.ts'
import { cannotWrite } from '../base/files.ts'

/**
 * Runs a write operation and adds a hint to a system error. `otherPlace` is the part of the hint that suggests another directory. Omit it
 * for the state directory: in another state directory, an import could not be resumed and would start from the beginning.
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

/** The text of a state file with a checksum that detects changes. */
export function toCheckedText(content: object): string {
  const text = JSON.stringify(content)
  return JSON.stringify({ crc: crc32(text), text })
}

/** The content of a state file. Throws if the file was edited. A file of an older version has no checksum. */
export function parseCheckedText(stored: string): unknown {
  const { crc, text, ...content } = JSON.parse(stored)
  if (text === undefined) return content
  if (crc32(text) === crc) return JSON.parse(text)
  throw new Error('the checksum is wrong')
}
