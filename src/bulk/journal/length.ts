import { readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { FacescanError } from '../../base/errors.ts'
import { replaceFile } from '../../base/files.ts'
import { orUndefined } from '../../base/functions.ts'

/** Beside the directory of the import, so that a restored copy of the directory does not restore it. */
function lengthPath(folder: string): string {
  return join(dirname(folder), `${basename(folder)}.length`)
}

/** Records that this many bytes of the journal are on disk. It stays when the import is finished. */
export function recordLength(folder: string, bytes: number): void {
  // An older record is still a lower bound.
  orUndefined(() => replaceFile(lengthPath(folder), JSON.stringify({ bytes })))
}

/** Read it before the journal, because a running import extends both. */
export function recordedLength(folder: string): number {
  return orUndefined((): number => JSON.parse(readFileSync(lengthPath(folder), 'utf8')).bytes) ?? 0
}

export function removeLength(folder: string): void {
  rmSync(lengthPath(folder), { force: true })
}

/** Refuses a journal that was restored from an older copy: the rows that were sent since then would be sent again. */
export function refuseOlder(folder: string, bytes: number, recorded: number): void {
  if (bytes >= recorded) return
  const id = basename(folder)
  const message = `the journal of import ${id} is older than its last run (${bytes} of ${recorded} bytes)`
  throw new FacescanError('configuration', message, {
    hint: [
      'Nothing was sent, because rows could be saved twice. Restore the latest journal.',
      `If that is not possible, check which answers were saved (facescan answers list), then run: facescan imports remove ${id}`,
    ],
  })
}
