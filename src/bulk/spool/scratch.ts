import { randomUUID } from 'node:crypto'
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigurationError } from '../../errors.ts'

export interface ScratchFile {
  readonly fd: number
  close(): void
}

/** An owner-only temporary file that, where the system allows it, has no name: a killed process leaves nothing behind. */
export function openScratchFile(): ScratchFile {
  const path = join(tmpdir(), `facescan-${randomUUID()}`)
  const fd = refusingScratch(() => openSync(path, 'wx+', 0o600))
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

/** Writes all the bytes; a full disk becomes what a person can mend. */
export function writeFully(fd: number, bytes: Uint8Array, position: number): void {
  let written = 0
  while (written < bytes.length) {
    written += refusingScratch(() =>
      writeSync(fd, bytes, written, bytes.length - written, position + written),
    )
  }
}

function refusingScratch<T>(write: () => T): T {
  try {
    return write()
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    throw new ConfigurationError(`cannot write temporary files in ${tmpdir()} (${code})`, {
      hint: 'Free some space there, or set TMPDIR to a folder with room for twice the input.',
      cause,
    })
  }
}
