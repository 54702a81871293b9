import { existsSync, statSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { FacescanError, UsageError } from '../../base/errors.ts'
import { partialPath } from '../../bulk/lists/checkpoint.ts'
import type { CheckedList } from './open-users.ts'

/** Compares files, because a path has several spellings and can be a link. */
export function isInput(path: string, input: CheckedList['table']['input']): boolean {
  if (input.path === undefined) return false
  const [found, source] = [path, input.path].map((file) => statSync(file, { throwIfNoEntry: false }))
  return found !== undefined && found.ino === source?.ino && found.dev === source.dev
}

export function refuseSameFile(out: string, errors: string, { table }: CheckedList): void {
  if (resolve(out) === resolve(errors))
    throw new UsageError('--out and --errors must be different files', {
      hint: 'Choose another file with --errors.',
    })
  const partial = partialPath(out)
  if (isInput(partial, table.input))
    throw new UsageError(`--out ${out} would overwrite the input file ${partial}`, {
      hint: 'Choose another file with --out.',
    })
}

export function refuseOther(path: string, isPartialOfOther: boolean): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found && !found.isFile())
    throw new UsageError(`${path} is not a regular file`, { hint: 'Choose another file with --out.' })
  if (found) throw new UsageError(`${path} already exists`, { hint: 'Delete it, or choose another file.' })
  if (!isPartialOfOther) return
  throw new UsageError(`${partialPath(path)} belongs to a run with a different list or different settings`, {
    hint: 'To resume that run, use the same list and settings. To start over, delete that file.',
  })
}

/** Another program may have written the file during the run. */
export function refuseAppeared(path: string): void {
  if (!existsSync(path)) return
  throw new FacescanError('import_stopped', `another program created ${path} during this run`, {
    hint: 'Move that file to another place, then run the same command again to finish.',
  })
}

/** `links.csv` has its errors in `links.errors.csv`. */
export function errorsPathOf(out: string): string {
  const ending = extname(out)
  return `${out.slice(0, out.length - ending.length)}.errors.csv`
}
