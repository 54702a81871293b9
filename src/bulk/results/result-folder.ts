import { createHash } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../../base/system/make-directory.ts'
import { systemCode } from '../../base/system/system-code.ts'
import { refusing } from '../refusing.ts'
import type { StagedFile } from './staged-file.ts'

export interface ResultFolderOptions {
  directory: string
  /** What is imported: an absolute path. Absent for a pipe, which nobody can recognise. */
  source?: string | undefined
  /** Folder in which is noted which files may be replaced; without it none is. */
  notes?: string | undefined
}

interface Note {
  source: string
  bytes: number
  modifiedMs: number
}

/**
 * Where result files go. None of them ever replaces another file, which may hold the only copy of rows that an earlier import
 * left: the next free number is taken. The exception is what an earlier run over the same input left untouched and provisional,
 * because nothing was sent or the import goes on.
 */
export class ResultFolder {
  readonly directory: string
  private readonly source: string | undefined
  private readonly notes: string | undefined

  constructor({ directory, source, notes }: ResultFolderOptions) {
    this.directory = directory
    this.source = source === undefined ? undefined : hashOf(source)
    this.notes = notes
  }

  /** Refuses a folder that cannot be written to before anything is sent. */
  prepare(): void {
    refusing(this.directory, () => {
      makeDirectory(this.directory)
      // With the slash, a file of that name will not do.
      accessSync(join(this.directory, '/'), constants.W_OK)
    })
  }

  /** Puts the file into the folder, and returns its path. `ending` follows the name and its number. */
  save(file: StagedFile, name: string, ending: string): string {
    const first = join(this.directory, `${name}${ending}`)
    return refusing(first, () => {
      makeDirectory(this.directory)
      for (let path = first, number = 2; ; number++) {
        if (this.mayReplace(path) || claim(path)) {
          saveInto(path, file)
          this.note(path)
          return path
        }
        path = join(this.directory, `${name}-${number}${ending}`)
      }
    })
  }

  /** No run replaces the file any more. Only once it is on record that the import is over: a run that goes on would write another. */
  keep(path: string): void {
    const notePath = this.notePath(path)
    if (notePath === undefined) return
    try {
      rmSync(notePath, { force: true })
    } catch {}
  }

  private mayReplace(path: string): boolean {
    const note = this.readNote(path)
    const stat = lstatSync(path, { throwIfNoEntry: false })
    return (
      stat !== undefined &&
      note !== undefined &&
      note.source === this.source &&
      note.bytes === stat.size &&
      note.modifiedMs === stat.mtimeMs
    )
  }

  /** A note that cannot be written only costs a number in a name. */
  private note(path: string): void {
    const notePath = this.notePath(path)
    if (notePath === undefined || this.notes === undefined) return
    try {
      rmSync(notePath, { force: true })
      if (this.source === undefined) return
      const { size, mtimeMs } = lstatSync(path)
      const note: Note = { source: this.source, bytes: size, modifiedMs: mtimeMs }
      makeDirectory(this.notes)
      writeFileSync(notePath, JSON.stringify(note), { mode: 0o600 })
    } catch {}
  }

  private readNote(path: string): Note | undefined {
    const notePath = this.notePath(path)
    try {
      return notePath === undefined ? undefined : (JSON.parse(readFileSync(notePath, 'utf8')) as Note)
    } catch {
      return undefined
    }
  }

  private notePath(path: string): string | undefined {
    return this.notes === undefined ? undefined : join(this.notes, `${hashOf(path)}.json`)
  }
}

/** Paths may name people, so that notes hold only their hashes. */
function hashOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 32)
}

/** Makes an empty file where there is none; false where there is one. */
function claim(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600))
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
}

function saveInto(path: string, file: StagedFile): void {
  try {
    file.saveAs(path)
  } catch (error) {
    if (lstatSync(path, { throwIfNoEntry: false })?.size === 0) rmSync(path)
    throw error
  }
}
