import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../base/errors.ts'
import { refusing } from '../refusing.ts'

/** How much of a list is in the file. */
export interface Checkpoint {
  /** Identifies the input and the settings: a file is resumed only with the same ones. */
  key: string
  /** Rows of the list, of all shards, before the first one that is not in the file. */
  rows: number
  /** Length of the data and of the failures in bytes. */
  bytes: number
  failureBytes: number
  done: number
  failed: number
  /** Rows that are not in the file and may have been sent, with a note about each. */
  announced?: readonly (readonly [row: number, note: string])[] | undefined
  /** When the first token or link in the file expires, in ms; undefined if it contains none. */
  expiresAt?: number | undefined
}

export interface ResumableFileOptions {
  path: string
  /** Contains the checkpoint. */
  folder: string
  key: string
  /** Text before the data of the first user. */
  start: string
  /** Whether the data of an earlier run may be continued. */
  isUsable(earlier: Checkpoint): boolean
}

const bufferBytes = 64 * 1024

export function refuseExisting(path: string): void {
  if (!existsSync(path)) return
  throw new UsageError(`${path} already exists`, { hint: 'Delete it, or choose another file.' })
}

/**
 * A file that appears complete, or not at all. Until then the data is in `PATH.partial`, readable only by its owner. After a crash
 * the next run continues at the last checkpoint.
 */
export class ResumableFile {
  readonly path: string
  checkpoint: Checkpoint
  /** Whether an earlier run left data that this run continues. */
  readonly isResumed: boolean
  readonly #folder: string
  readonly #data: AppendedFile
  readonly #failures: AppendedFile

  constructor({ path, folder, key, start, isUsable }: ResumableFileOptions) {
    this.path = path
    this.#folder = folder
    const earlier = readCheckpoint(folder)
    refuseExisting(path)
    if (earlier !== undefined && earlier.key !== key && existsSync(partialPath(path))) {
      throw new UsageError(`${partialPath(path)} was started with a different list or different settings`, {
        hint: 'Run the command with the same list and settings to resume it, or delete that file to start over.',
      })
    }
    const isKnown = earlier?.key === key && hasLength(partialPath(path), earlier.bytes)
    const usable = earlier !== undefined && isKnown && isUsable(earlier) ? earlier : undefined
    this.isResumed = usable !== undefined
    this.checkpoint = usable ?? { key, rows: 0, bytes: 0, failureBytes: 0, done: 0, failed: 0 }
    this.#data = new AppendedFile(partialPath(path), this.checkpoint.bytes)
    this.#failures = new AppendedFile(this.failuresPath, this.checkpoint.failureBytes)
    if (this.isResumed) return
    // The start is part of the first checkpoint, so that a resumed file always contains it.
    this.write(start)
    this.save({})
  }

  /** One JSON line for each user that failed. */
  get failuresPath(): string {
    return `${this.path}.failures.partial`
  }

  write(text: string): void {
    this.#data.write(text)
  }

  addFailure(failure: object): void {
    this.#failures.write(`${JSON.stringify(failure)}\n`)
  }

  /** Makes everything so far durable. */
  sync(): { bytes: number; failureBytes: number } {
    return { bytes: this.#data.sync(), failureBytes: this.#failures.sync() }
  }

  /** Makes everything so far durable, and records it in the checkpoint. */
  save(changes: Partial<Checkpoint>): void {
    this.checkpoint = { ...this.checkpoint, ...changes, ...this.sync() }
    const path = checkpointPath(this.#folder)
    refusing(path, () => {
      writeFileSync(`${path}.new`, JSON.stringify(this.checkpoint), { mode: 0o600, flush: true })
      renameSync(`${path}.new`, path)
    })
  }

  /** Puts the complete file under its name. */
  finish(): void {
    this.#data.close()
    this.#failures.close()
    refusing(this.path, () => renameSync(partialPath(this.path), this.path))
    rmSync(this.failuresPath, { force: true })
    rmSync(checkpointPath(this.#folder), { force: true })
  }

  /** Leaves the data for the next run. */
  close(): void {
    this.#data.close()
    this.#failures.close()
  }
}

class AppendedFile {
  readonly #path: string
  readonly #fd: number
  #length: number
  #texts: string[] = []
  #waiting = 0
  #isDurable = false

  constructor(path: string, length: number) {
    this.#path = path
    this.#length = length
    this.#fd = refusing(path, () => {
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
    if (!this.#isDurable) refusing(this.#path, () => fsyncSync(this.#fd))
    this.#isDurable = true
    return this.#length
  }

  close(): void {
    this.sync()
    closeSync(this.#fd)
  }

  #flush(): void {
    if (this.#texts.length === 0) return
    const bytes = Buffer.from(this.#texts.join(''))
    this.#isDurable = false
    this.#texts = []
    this.#waiting = 0
    refusing(this.#path, () => {
      for (let at = 0; at < bytes.length; ) {
        at += writeSync(this.#fd, bytes, at, bytes.length - at, this.#length + at)
      }
    })
    this.#length += bytes.length
  }
}

function partialPath(path: string): string {
  return `${path}.partial`
}

function checkpointPath(folder: string): string {
  return join(folder, 'checkpoint.json')
}

function hasLength(path: string, bytes: number): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? -1) >= bytes
}

function readCheckpoint(folder: string): Checkpoint | undefined {
  try {
    return JSON.parse(readFileSync(checkpointPath(folder), 'utf8')) as Checkpoint
  } catch {
    return undefined
  }
}
