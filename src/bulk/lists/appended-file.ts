import { closeSync, fsyncSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs'
import { writeOrExplain } from '../write-or-explain.ts'

const bufferBytes = 64 * 1024

/** A file that only its owner can read. New data is appended after the first `length` bytes. */
export class AppendedFile {
  readonly #name: string
  readonly #fd: number
  #length: number
  #texts: string[] = []
  #waiting = 0
  #isDurable = false

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
    this.#texts.push(text)
    this.#waiting += text.length
    if (this.#waiting >= bufferBytes) this.#flush()
  }

  /** Returns the durable length in bytes. */
  sync(): number {
    this.#flush()
    if (!this.#isDurable) writeOrExplain(this.#name, () => fsyncSync(this.#fd))
    this.#isDurable = true
    return this.#length
  }

  /** Returns the final length in bytes. */
  close(): number {
    this.sync()
    closeSync(this.#fd)
    return this.#length
  }

  #flush(): void {
    if (this.#texts.length === 0) return
    const bytes = Buffer.from(this.#texts.join(''))
    this.#isDurable = false
    writeOrExplain(this.#name, () => {
      for (let at = 0; at < bytes.length; ) {
        at += writeSync(this.#fd, bytes, at, bytes.length - at, this.#length + at)
      }
    })
    // Cleared only now, so that the next attempt writes the same text again.
    this.#texts = []
    this.#waiting = 0
    this.#length += bytes.length
  }
}
