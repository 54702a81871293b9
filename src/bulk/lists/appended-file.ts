import { closeSync, fsyncSync, ftruncateSync, openSync, rmSync } from 'node:fs'
import { writeAll } from '../../base/system/write-all.ts'
import { writeOrExplain } from '../write-or-explain.ts'

const bufferBytes = 64 * 1024

/** A file that only its owner can read. New data is appended after the first `length` bytes. */
export class AppendedFile {
  readonly #name: string
  readonly #fd: number
  #length: number
  /** Not written yet. */
  #text = ''

  /** `name` is the path in errors. */
  constructor(path: string, length: number, name = path) {
    this.#name = name
    this.#length = length
    this.#fd = writeOrExplain(name, () => {
      // A new file, so that a link or an open mode that someone left at this path does not apply to it.
      if (length === 0) rmSync(path, { force: true })
      const fd = openSync(path, length === 0 ? 'wx' : 'r+', 0o600)
      ftruncateSync(fd, length)
      return fd
    })
  }

  write(text: string): void {
    this.#text += text
    if (this.#text.length >= bufferBytes) this.#flush()
  }

  /** Returns the durable length in bytes. */
  sync(): number {
    this.#flush()
    writeOrExplain(this.#name, () => fsyncSync(this.#fd))
    return this.#length
  }

  /** Returns the final length in bytes. */
  close(): number {
    this.sync()
    closeSync(this.#fd)
    return this.#length
  }

  #flush(): void {
    const bytes = Buffer.from(this.#text)
    writeOrExplain(this.#name, () => writeAll(this.#fd, bytes, this.#length))
    // Cleared only now, so that the next attempt writes the same text again.
    this.#text = ''
    this.#length += bytes.length
  }
}
