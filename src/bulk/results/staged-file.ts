import { closeSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { freePath, isPipe, writePipe } from '../../base/files.ts'
import { ScratchFile } from '../spool/scratch.ts'

export interface FileVersion {
  bytes: number
  modifiedMs: number
}

const bufferBytes = 256 * 1024

/** Collects the content of a file in memory and in a temporary file without a name. If the process is killed, no file is left. */
export class StagedFile {
  private parts: Buffer[] = []
  private bytes = 0
  private scratch: ScratchFile | undefined

  add(data: string | Uint8Array): void {
    // The bytes are copied, because the scanner reuses its memory.
    const part = Buffer.from(data)
    this.parts.push(part)
    this.bytes += part.length
    if (this.bytes < bufferBytes) return
    this.scratch ??= new ScratchFile()
    this.scratch.write(Buffer.concat(this.parts))
    this.parts = []
    this.bytes = 0
  }

  /** Saves the file, readable only by its owner. `announce` is called before an existing file is replaced. */
  saveAs(path: string, announce: (version: FileVersion) => void = () => undefined): void {
    const temporaryPath = freePath(`${path}.partial`)
    try {
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

  async writeTo(path: string, signal: AbortSignal): Promise<void> {
    if (isPipe(path)) return writePipe(path, this.chunks(), signal)
    const fd = openSync(path, 'w')
    try {
      this.copyTo(fd)
    } finally {
      closeSync(fd)
    }
  }

  discard(): void {
    this.parts = []
    this.bytes = 0
    this.scratch?.close()
    this.scratch = undefined
  }

  private copyTo(fd: number): void {
    for (const chunk of this.chunks()) writeFileSync(fd, chunk)
  }

  private *chunks(): Generator<Buffer> {
    const { scratch } = this
    for (let at = 0; scratch && at < scratch.length; at += bufferBytes) {
      const chunk = Buffer.allocUnsafe(Math.min(bufferBytes, scratch.length - at))
      scratch.read(chunk, at)
      yield chunk
    }
    yield Buffer.concat(this.parts)
  }
}
