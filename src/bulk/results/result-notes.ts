import { createHash } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../../base/system/make-directory.ts'

export interface FileVersion {
  bytes: number
  modifiedMs: number
}

/** Records which result files the runs of one import have left. */
export class ResultNotes {
  readonly #folder: string | undefined
  readonly #path: string

  /** The file name is a hash of `owner`, because paths may contain names of people. */
  constructor(folder: string | undefined, owner: string) {
    this.#folder = folder
    const name = createHash('sha256').update(owner).digest('hex').slice(0, 32)
    this.#path = join(folder ?? '', `${name}.json`)
  }

  read(): Map<string, FileVersion[]> {
    if (this.#folder === undefined) return new Map()
    try {
      return new Map(
        Object.entries(JSON.parse(readFileSync(this.#path, 'utf8')) as Record<string, FileVersion[]>),
      )
    } catch {
      return new Map()
    }
  }

  /** Adds a version of a file. Without a version, the file is about to be created. */
  add(path: string, version: FileVersion | undefined): void {
    const files = this.read()
    files.set(path, [...(files.get(path) ?? []), ...(version ? [version] : [])])
    this.#write(files)
  }

  keep(paths: readonly string[]): void {
    this.#write(new Map([...this.read()].filter(([path]) => paths.includes(path))))
  }

  /** If the note cannot be written, later runs only use another number for their files. */
  #write(files: Map<string, FileVersion[]>): void {
    if (this.#folder === undefined) return
    try {
      if (files.size === 0) {
        rmSync(this.#path, { force: true })
        return
      }
      makeDirectory(this.#folder)
      writeFileSync(`${this.#path}.new`, JSON.stringify(Object.fromEntries(files)), { mode: 0o600 })
      renameSync(`${this.#path}.new`, this.#path)
    } catch {}
  }
}
