import { accessSync, type BigIntStats, constants, realpathSync, statSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { FacescanError, UsageError } from '../../base/errors.ts'
import { isTaken } from '../../base/files.ts'
import type { InputFile } from '../../bulk/input-file.ts'
import { partialPath } from '../../bulk/lists/earlier-run.ts'
import { writeOrExplain } from '../../bulk/write-or-explain.ts'
import type { CheckedList } from './open-users.ts'

/** The paths of the output files of a list. */
export interface Files {
  out?: string
  errors?: string
}

/** Throws if an output file cannot be written, is the input file, or is used for both outputs. */
export function checkOutputPaths({ out, errors }: Files, { table }: CheckedList): void {
  const results = out === undefined ? [] : writtenPaths('--out', out, table.input)
  const failures = errors === undefined ? [] : writtenPaths('--errors', errors, table.input)
  const shared = results.find((path) => failures.includes(path))
  if (shared === undefined) return
  throw new UsageError(`the results and the failed users would both be written to ${shared}`, {
    hint: 'Choose another file with --errors.',
  })
}

/** The paths that a command writes for an option: the file and its temporary file. Links in the path of their directory are resolved. */
function writtenPaths(flag: string, path: string, input: InputFile): string[] {
  const hint = `Choose another file with ${flag}.`
  const check = () => {
    const isReplaced = fileAt(path)?.isFile() ?? true
    // The directory is checked before the first request, because rows would be lost if the result could not be written. A device needs no
    // temporary file, so no check. The slash makes the check fail if the parent is a file: in newer versions of Node, `fileAt` does not
    // report such a parent.
    if (isReplaced) accessSync(`${dirname(path)}/`, constants.W_OK)
    return (isReplaced ? [path, partialPath(path)] : [path]).map((written) => {
      if (fileAt(written)?.isDirectory()) throw new UsageError(`${flag} ${written} is a directory`, { hint })
      if (isInput(written, input))
        throw new UsageError(`${flag} ${path} would overwrite the input file ${written}`, { hint })
      return join(realpathSync(dirname(written)), basename(written))
    })
  }
  return writeOrExplain(path, check, `, or choose another file with ${flag}`)
}

/** Whether a path is the input. The files are compared instead of the paths, because several paths and links can lead to one file. */
function isInput(path: string, input: InputFile): boolean {
  const source = input.path === undefined ? undefined : fileAt(input.path)
  const found = fileAt(path)
  return found !== undefined && found.ino === source?.ino && found.dev === source.dev
}

/** File information with exact numbers, because a file number (inode) on Windows needs 64 bits. */
function fileAt(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })
}

export function refuseOther(path: string, isPartialOfOther: boolean): void {
  if (isTaken(path) && !(fileAt(path)?.isFile() ?? true))
    throw new UsageError(`${path} is not a regular file`, { hint: 'Choose another file with --out.' })
  if (isTaken(path))
    throw new UsageError(`${path} already exists`, { hint: 'Delete it, or choose another file with --out.' })
  if (!isPartialOfOther) return
  throw new UsageError(`${partialPath(path)} belongs to a run with a different list or different settings`, {
    hint: 'To resume that run, use the same list, settings, and version of facescan. To start over, delete that file.',
  })
}

/** Throws if the file for failed users exists. Allows a pipe or a device such as /dev/null, because it is not replaced. */
export function refuseExistingErrors(path: string): void {
  if (isTaken(path) && (fileAt(path)?.isFile() ?? true))
    throw new UsageError(`${path} already exists`, {
      hint: 'Delete it, choose another file with --errors, or add --yes to replace it.',
    })
}

/** Throws if another program wrote the file during the run. */
export function refuseAppeared(path: string): void {
  if (!isTaken(path)) return
  throw new FacescanError('import_stopped', `another program created ${path} during this run`, {
    hint: 'Move that file to another place, then run the same command again to finish.',
  })
}

/** The path for failed users: `links.errors.csv` for `links.csv`. */
export function errorsPathOf(out: string): string {
  const ending = extname(out)
  return `${out.slice(0, out.length - ending.length)}.errors.csv`
}
