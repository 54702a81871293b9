import { closeSync, constants, fchmodSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { UsageError } from '../base/errors.ts'
import { systemCode, systemReason } from '../base/system/system-code.ts'
import { countOf } from '../base/text/count.ts'
import { harFrame } from './har.ts'

export interface HarFile {
  add(entry: object): void
  close(): void
}

/**
 * Opens an archive that only its owner can read. The file is a valid archive after each entry. Symbolic links are not
 * followed, because another user may have created the link. `warn` is called once if the disk is full.
 */
export function openHarFile(path: string, warn: (text: string) => void): HarFile {
  const file = open(path)
  let position = 0
  let entries = 0
  let broken = false
  const append = (text: string) => {
    if (broken) return
    try {
      const bytes = Buffer.from(text + harFrame.end)
      writeWhole(file, bytes, position)
      position += bytes.length - Buffer.byteLength(harFrame.end)
    } catch (error) {
      broken = true
      if (position === 0) {
        closeSync(file)
        throw unwritable(path, error)
      }
      warn(`${path} contains only the first ${countOf(entries, 'request')}: ${systemReason(error)}`)
      restore(file, position)
    }
  }
  append(harFrame.start)
  return {
    add(entry) {
      append(`${entries === 0 ? '\n' : ',\n'}${JSON.stringify(entry)}`)
      if (!broken) entries++
    },
    close: () => closeSync(file),
  }
}

function open(path: string): number {
  // Opening a named pipe would block until a reader opens it, and Ctrl-C would not work.
  const { O_WRONLY, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  let file: number | undefined
  try {
    file = openSync(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
    if (!fstatSync(file).isFile()) throw Object.assign(new Error(), { code: 'not a regular file' })
    fchmodSync(file, 0o600)
    ftruncateSync(file, 0)
    return file
  } catch (error) {
    if (file !== undefined) closeSync(file)
    throw unwritable(path, error)
  }
}

function unwritable(path: string, error: unknown): UsageError {
  const what = systemCode(error) === 'ELOOP' ? 'symbolic links are not followed' : systemReason(error)
  return new UsageError(`--har: cannot write ${path} (${what})`)
}

function writeWhole(file: number, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(file, bytes, done, bytes.length - done, position + done)
}

/** Removes a partly written entry. The end fits, because it was there before. */
function restore(file: number, position: number): void {
  try {
    writeWhole(file, Buffer.from(harFrame.end), position)
    ftruncateSync(file, position + harFrame.end.length)
  } catch {
    // The warning was printed, and the file cannot be repaired.
  }
}
