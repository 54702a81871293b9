import { accessSync, closeSync, constants, lstatSync, openSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { freePath, isCreated, isTaken, makeDirectory, replaceFile } from '../../base/files.ts'
import { orUndefined } from '../../base/functions.ts'
import { shortHash } from '../../base/text.ts'
import type { ResultKind } from '../types.ts'
import { writeOrExplain } from '../write-or-explain.ts'
import type { FileVersion, StagedFile } from './staged-file.ts'

export interface ResultFolderOptions {
  directory: string
  /** Text that identifies the import, such as the path of its input and its service. */
  owner: string
  /** Start of the file names (default `answers`). */
  stem?: string
  /** Text after the stem of the file name, such as `.3-of-16`. */
  suffix?: string
  /** Directory for the records of result files. Without these records, a later run cannot replace any file. */
  notes?: string | undefined
  /** Whether the run writes result files (default true). False for a dry run without --results. */
  isUsed?: boolean
}

const otherPlace = ', or choose another directory with --results'

const knownEndings = /(\.(rejects|unknown|unsaved)(-\d+)?)?(\.(csv|tsv|txt|xlsx|jsonl|ndjson|gz))+$/i

/** Maximum length of a stem, because file systems limit the length of a file name. */
const longestStem = 200

/** The start of the names of result files: `staff` for the input `staff.csv.gz`. Empty if the names would be too long. */
export function stemOf(path: string): string {
  const stem = basename(path).replace(knownEndings, '')
  return Buffer.byteLength(stem) > longestStem ? '' : stem
}

/** Calls `choose` with the suffixes '', '-2', '-3', … until it returns a value. */
export function firstNumbered<Chosen>(
  choose: (suffix: string, number: number) => Chosen | undefined,
  from = 1,
): Chosen {
  for (let number = from; ; number++) {
    const chosen = choose(number === 1 ? '' : `-${number}`, number)
    if (chosen !== undefined) return chosen
  }
}

interface ResultName {
  name: ResultKind | 'summary'
  format: string
}

/**
 * The result files of one run. All their names contain the same number, such as `answers.rejects-2.csv`. Files of earlier runs of the
 * same import are replaced or removed until the import is finished. Files of other imports are kept, because such a file may be the only
 * copy of its rows.
 */
export class ResultFolder {
  readonly directory: string
  readonly isUsed: boolean
  readonly #stem: string
  /** Path of the list of this import's result files. */
  readonly #record: string | undefined
  readonly #saved = new Set<string>()
  #number: number | undefined

  constructor({
    directory,
    owner,
    stem = 'answers',
    suffix = '',
    notes,
    isUsed = true,
  }: ResultFolderOptions) {
    this.directory = directory
    this.isUsed = isUsed
    this.#stem = `${stem}${suffix}`
    // The file name is a hash, because paths may contain names of people.
    this.#record = notes && join(notes, `${shortHash(`${directory}\n${owner}\n${suffix}`)}.json`)
  }

  /** Throws if the directory is not writable. Called before anything is sent. */
  prepare(): void {
    writeOrExplain(
      this.directory,
      () => {
        makeDirectory(this.directory)
        // The slash at the end makes the check fail if the path is a file.
        accessSync(join(this.directory, '/'), constants.W_OK)
      },
      otherPlace,
    )
  }

  /** Saves a file and returns its path. `mayReplace` returns true if the file may be replaced because its run is finished. */
  save(file: StagedFile, result: ResultName, mayReplace = (_path: string) => false): string {
    const claimAndSave = () => {
      makeDirectory(this.directory)
      const path = this.#claim(result, mayReplace)
      // The record is written before the file. If this run is killed, the next run can therefore remove the file.
      file.saveAs(path, (version) => this.#addVersion(path, version))
      this.#saved.add(path)
      return path
    }
    return writeOrExplain(this.#pathOf(result.name, result.format, ''), claimAndSave, otherPlace)
  }

  /** Removes the result files that this run did not replace. If `isFinal` is true, later runs keep the files of this run. */
  finish(isFinal: boolean): void {
    if (!this.isUsed) return
    const files = this.#readRecord()
    for (const [path, versions] of files) {
      freePath(`${path}.partial`)
      if (!this.#saved.has(path) && isOneOf(versions, path)) rmSync(path, { force: true })
      if (isFinal || !this.#saved.has(path)) files.delete(path)
    }
    this.#writeRecord(files)
  }

  /** Reserves the first number with which each file of the run either does not exist or may be replaced. Returns the path of the file. */
  #claim({ name, format }: ResultName, mayReplace: (path: string) => boolean): string {
    const isFree = (path: string) => !isTaken(path) || this.#isOurs(path) || mayReplace(path)
    // The run uses the first number with which none of its result files exists. For `summary` and `unsaved`, only this file itself must not
    // exist.
    const isOnly = this.#number !== undefined || name === 'summary' || name === 'unsaved'
    const names = isOnly ? [name] : (['rejects', 'unknown', 'summary'] as const)
    return firstNumbered((suffix, number) => {
      const path = this.#pathOf(name, format, suffix)
      const isReplaced = isTaken(path)
      if (!names.every((other) => isFree(this.#pathOf(other, format, suffix)))) return undefined
      this.#addVersion(path)
      if (!isReplaced && !isCreated(() => closeSync(openSync(path, 'wx', 0o600)))) return undefined
      this.#number = number
      return path
    }, this.#number)
  }

  #pathOf(name: ResultName['name'], format: string, suffix: string): string {
    const ending = name === 'summary' ? 'json' : format
    return join(this.directory, `${this.#stem}.${name}${suffix}.${ending}`)
  }

  #isOurs(path: string): boolean {
    const versions = this.#readRecord().get(path)
    return versions !== undefined && isOneOf(versions, path)
  }

  #readRecord(): Map<string, FileVersion[]> {
    const path = this.#record ?? ''
    const files = orUndefined((): Record<string, FileVersion[]> => JSON.parse(readFileSync(path, 'utf8')))
    return new Map(Object.entries(files ?? {}))
  }

  /** Records a version of a file. If `version` is undefined, records only the path, because the file will be created next. */
  #addVersion(path: string, version?: FileVersion): void {
    const files = this.#readRecord()
    files.set(path, [...(files.get(path) ?? []), ...(version ? [version] : [])])
    this.#writeRecord(files)
  }

  /** A failed write is ignored. Later runs then do not recognize the files of this run, so they use another number for their own files. */
  #writeRecord(files: ReadonlyMap<string, FileVersion[]>): void {
    const path = this.#record
    if (path === undefined) return
    try {
      if (files.size === 0) rmSync(path, { force: true })
      else replaceFile(path, JSON.stringify(Object.fromEntries(files)))
    } catch {}
  }
}

/** Whether the file has one of these versions, or is empty because a run was killed. */
function isOneOf(versions: readonly FileVersion[], path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return false
  return (
    stat.size === 0 ||
    versions.some(({ bytes, modifiedMs }) => bytes === stat.size && modifiedMs === stat.mtimeMs)
  )
}
