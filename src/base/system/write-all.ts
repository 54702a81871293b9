import { writeSync } from 'node:fs'

/** Writes all bytes at a position of the file. After an error, some of them may be in the file. */
export function writeAll(fd: number, bytes: Uint8Array, position: number): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(fd, bytes, written, bytes.length - written, position + written)
}
