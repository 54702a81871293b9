import { randomUUID } from 'node:crypto'
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeTemporary } from '../../base/system/temporary.ts'

export interface ScratchFile {
  readonly fd: number
  close(): void
}

/** An owner-only temporary file. It has no name if the system supports that, so that a killed process leaves nothing. */
export function openScratchFile(): ScratchFile {
  const path = join(tmpdir(), `facescan-${randomUUID()}`)
  const fd = writeTemporary(() => openSync(path, 'wx+', 0o600))
  const isNameless = process.platform !== 'win32'
  if (isNameless) unlinkSync(path)
  return {
    fd,
    close() {
      closeSync(fd)
      if (!isNameless) unlinkSync(path)
    },
  }
}

/** Writes all bytes. If the disk is full, throws an error with a hint. */
export function writeFully(fd: number, bytes: Uint8Array, position: number): void {
  let written = 0
  while (written < bytes.length) {
    written += writeTemporary(() => writeSync(fd, bytes, written, bytes.length - written, position + written))
  }
}
