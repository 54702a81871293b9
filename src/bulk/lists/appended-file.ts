import { closeSync, fsyncSync, ftruncateSync, openSync, readSync, rmSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { ConfigurationError } from '../../base/errors.ts'
import { writeAll } from '../../base/files.ts'
import { writeOrExplain } from '../write-or-explain.ts'

const bufferBytes = 64 * 1024

/** A file that only its owner can read. New data is appended after the first `length` bytes. */
export class AppendedFile {
  readonly #name: string
  readonly #fd: number
  #length: number
  #crc: number
  #text = ''

  /** `name` is the path that error messages show. Throws if the first `length` bytes do not have the checksum `crc` (default: not checked). */
  constructor(path: string, length: number, { name = path, crc }: { name?: string; crc?: number } = {}) {
    this.#name = name
    this.#length = length
    this.#fd = writeOrExplain(name, () => {
      // The old file may be a symbolic link or have the wrong mode, so it is removed first.
      if (length === 0) rmSync(path, { force: true })
      const fd = openSync(path, length === 0 ? 'wx+' : 'r+', 0o600)
      ftruncateSync(fd, length)
      return fd
    })
    this.#crc = readCrc(this.#fd)
    if (crc === undefined || this.#crc === crc) return
    closeSync(this.#fd)
    throw damagedState(path)
  }

  write(text: string): void {
    this.#text += text
    if (this.#text.length >= bufferBytes) this.#flush()
  }

  get crc(): number {
    return this.#crc
  }

  sync(): number {
    this.#flush()
    writeOrExplain(this.#name, () => fsyncSync(this.#fd))
    return this.#length
  }

  close(): number {
    this.sync()
    closeSync(this.#fd)
    return this.#length
  }

  #flush(): void {
    const bytes = Buffer.from(this.#text)
    writeOrExplain(this.#name, () => writeAll(this.#fd, bytes, this.#length))
    // The text is emptied only after the write. If the write fails, the next attempt writes the same text again.
    this.#text = ''
    this.#length += bytes.length
    this.#crc = crc32(bytes, this.#crc)
  }
}

export function crcOfFile(path: string): number {
  const fd = openSync(path, 'r')
  try {
    return readCrc(fd)
  } finally {
    closeSync(fd)
  }
}

function readCrc(fd: number): number {
  const block = Buffer.alloc(1024 * 1024)
  let crc = 0
  for (let at = 0; ; ) {
    const read = readSync(fd, block, 0, block.length, at)
    if (read === 0) return crc
    crc = crc32(block.subarray(0, read), crc)
    at += read
  }
}

export function damagedState(path: string): ConfigurationError {
  return new ConfigurationError(`${path} was changed or is damaged; the list cannot be resumed`, {
    hint: 'Restore the file from a backup. To process all users again, run the command with another --out file.',
  })
}
