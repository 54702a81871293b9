import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeAll, writeTemporary } from '../../base/files.ts'

const isNameless = process.platform !== 'win32'

/** A temporary file for its owner. Its name is removed at once if possible, so a killed process leaves no file. */
export class ScratchFile {
  readonly fd: number
  length = 0
  readonly #path = join(tmpdir(), `facescan-${randomUUID()}`)

  constructor() {
    this.fd = writeTemporary(() => openSync(this.#path, 'wx+', 0o600))
    if (isNameless) unlinkSync(this.#path)
  }

  /** Appends all bytes. On a full disk, throws an error with a hint. The next write then replaces the incomplete bytes. */
  write(bytes: Uint8Array): void {
    writeTemporary(() => writeAll(this.fd, bytes, this.length))
    this.length += bytes.length
  }

  /** Reads bytes of the temporary file, starting at `position`, until the target is full. */
  read(target: Uint8Array, position: number): void {
    for (let filled = 0; filled < target.length; ) {
      const count = readSync(this.fd, target, filled, target.length - filled, position + filled)
      if (count === 0) throw new Error('a temporary file was truncated')
      filled += count
    }
  }

  close(): void {
    closeSync(this.fd)
    if (!isNameless) unlinkSync(this.#path)
  }
}
