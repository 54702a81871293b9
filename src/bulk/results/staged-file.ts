import { closeSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs'

const bufferBytes = 256 * 1024

/** An owner-only file that stands under a temporary name until it is complete. Opened by the first write. */
export class StagedFile {
  private readonly path: string
  private readonly buffer = Buffer.allocUnsafe(bufferBytes)
  private filled = 0
  private fd: number | undefined

  constructor(path: string) {
    this.path = path
  }

  get isOpen(): boolean {
    return this.fd !== undefined
  }

  text(text: string): void {
    // No character takes more than three bytes for each unit of the string.
    if (text.length * 3 > bufferBytes - this.filled) this.flush()
    if (text.length * 3 > bufferBytes) this.bytes(Buffer.from(text))
    else this.filled += this.buffer.write(text, this.filled)
  }

  bytes(source: Buffer, from = 0, to = source.length): void {
    if (to - from > bufferBytes - this.filled) this.flush()
    if (to - from > bufferBytes) this.writeFully(source.subarray(from, to))
    else this.filled += source.copy(this.buffer, this.filled, from, to)
  }

  /** Puts the file under its name. */
  close(): void {
    if (this.fd === undefined && this.filled === 0) return
    this.flush()
    this.closeFile()
    renameSync(this.temporaryPath, this.path)
  }

  /** Gives up what was written. */
  discard(): void {
    this.filled = 0
    if (this.fd === undefined) return
    this.closeFile()
    unlinkSync(this.temporaryPath)
  }

  private get temporaryPath(): string {
    return `${this.path}.partial`
  }

  private closeFile(): void {
    if (this.fd !== undefined) closeSync(this.fd)
    this.fd = undefined
  }

  private flush(): void {
    const { filled } = this
    this.filled = 0
    this.writeFully(this.buffer.subarray(0, filled))
  }

  private writeFully(bytes: Buffer): void {
    this.fd ??= openSync(this.temporaryPath, 'w', 0o600)
    for (let written = 0; written < bytes.length; ) written += writeSync(this.fd, bytes, written)
  }
}
