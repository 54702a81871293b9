import { closeSync, fsyncSync, lstatSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { openScratchFile, type ScratchFile, writeFully } from '../spool/scratch.ts'
import type { FileVersion } from './result-notes.ts'

const bufferBytes = 256 * 1024

/** A file in memory and in a temporary file without a name. A killed process leaves no file behind. */
export class StagedFile {
  private readonly buffer = Buffer.allocUnsafe(bufferBytes)
  private filled = 0
  private scratch: ScratchFile | undefined
  private scratchBytes = 0

  text(text: string): void {
    // A string has at most three bytes per UTF-16 unit.
    if (text.length * 3 > bufferBytes - this.filled) this.flush()
    if (text.length * 3 > bufferBytes) this.bytes(Buffer.from(text))
    else this.filled += this.buffer.write(text, this.filled)
  }

  bytes(source: Buffer, from = 0, to = source.length): void {
    if (to - from > bufferBytes - this.filled) this.flush()
    if (to - from > bufferBytes) this.setAside(source.subarray(from, to))
    else this.filled += source.copy(this.buffer, this.filled, from, to)
  }

  /** Saves the file for its owner only. `announce` is called before the file at the path is replaced. */
  saveAs(path: string, temporaryPath: string, announce: (version: FileVersion) => void): void {
    try {
      // Left by a killed run.
      rmSync(temporaryPath, { force: true })
      const fd = openSync(temporaryPath, 'wx', 0o600)
      try {
        this.copyTo(fd)
        fsyncSync(fd)
      } finally {
        closeSync(fd)
      }
      const { size, mtimeMs } = lstatSync(temporaryPath)
      announce({ bytes: size, modifiedMs: mtimeMs })
      renameSync(temporaryPath, path)
    } catch (error) {
      rmSync(temporaryPath, { force: true })
      if (lstatSync(path, { throwIfNoEntry: false })?.size === 0) rmSync(path)
      throw error
    }
  }

  discard(): void {
    this.filled = 0
    this.scratchBytes = 0
    this.scratch?.close()
    this.scratch = undefined
  }

  private copyTo(fd: number): void {
    if (this.scratch) copyFile(this.scratch.fd, fd, this.scratchBytes)
    writeWhole(fd, this.buffer.subarray(0, this.filled))
  }

  private flush(): void {
    const { filled } = this
    this.filled = 0
    if (filled > 0) this.setAside(this.buffer.subarray(0, filled))
  }

  private setAside(bytes: Buffer): void {
    this.scratch ??= openScratchFile()
    writeFully(this.scratch.fd, bytes, this.scratchBytes)
    this.scratchBytes += bytes.length
  }
}

function copyFile(from: number, to: number, bytes: number): void {
  const chunk = Buffer.allocUnsafe(bufferBytes)
  for (let at = 0; at < bytes; ) {
    const length = readSync(from, chunk, 0, Math.min(bufferBytes, bytes - at), at)
    writeWhole(to, chunk.subarray(0, length))
    at += length
  }
}

function writeWhole(fd: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written)
}
