import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { FacescanError } from '../../base/errors.ts'
import { makeDirectory, replaceFile } from '../../base/files.ts'
import { orUndefined } from '../../base/functions.ts'

/** The operations on a journal file. Tests replace them to simulate a failing disk. */
export interface JournalFile {
  append(bytes: Buffer): Promise<void>
  sync(): Promise<void>
  truncate(bytes: number): Promise<void>
  recordLength?(bytes: number): void
  /** Frees the reserved space. Returns false if the space was already freed. */
  releaseReserve(): Promise<boolean>
  close(): Promise<void>
}

const journalName = 'journal.ndjson'
const reserveName = 'reserved-space'
const reserveBytes = 256 * 1024

export function journalPath(folder: string): string {
  return join(folder, journalName)
}

/** Opens a journal after its first `goodBytes` bytes. Reserves disk space for the last records of a run on a full disk. */
export async function openJournalFile(folder: string, goodBytes: number): Promise<JournalFile> {
  makeDirectory(folder)
  const reserve = join(folder, reserveName)
  const handle = await open(journalPath(folder), 'a', 0o600)
  try {
    await handle.truncate(goodBytes)
    await handle.sync()
  } catch (error) {
    await handle.close()
    throw error
  }
  await writeFile(reserve, Buffer.alloc(reserveBytes), { mode: 0o600, flush: true })
  // A new file survives a power failure only if its directory is synced too.
  await syncFolder(folder)
  await syncFolder(dirname(folder))
  return {
    // A synchronous write to the page cache is faster than passing the data to another thread.
    append: async (bytes) => writeFileSync(handle.fd, bytes),
    sync: () => handle.datasync(),
    truncate: (bytes) => handle.truncate(bytes),
    recordLength: (bytes) => recordLength(folder, bytes),
    releaseReserve: () =>
      rm(reserve).then(
        () => true,
        () => false,
      ),
    close: async () => {
      await handle.close()
      // If this file cannot be removed, for example because the file system has become read-only, the next run replaces it.
      await rm(reserve).catch(() => undefined)
    },
  }
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a directory. Its file system records file names without a sync of the directory.
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** File with the recorded length. The file is outside the directory, so restoring an older copy of the directory does not change it. */
function lengthPath(folder: string): string {
  return join(dirname(folder), `${basename(folder)}.length`)
}

/** Records the length of a journal. A failed write is harmless: the recorded length is then too small, and a longer journal is accepted. */
export function recordLength(folder: string, bytes: number): void {
  orUndefined(() => replaceFile(lengthPath(folder), JSON.stringify({ bytes })))
}

/** Recorded length of the journal in bytes. Read this length before the journal, because a running import extends both. */
export function recordedLength(folder: string): number {
  return orUndefined((): number => JSON.parse(readFileSync(lengthPath(folder), 'utf8')).bytes) ?? 0
}

export function removeLength(folder: string): void {
  rmSync(lengthPath(folder), { force: true })
}

/** Refuses a journal that was restored from an older copy, because rows that were sent after the copy was made would be sent again. */
export function refuseOlder(folder: string, bytes: number, recorded: number): void {
  if (bytes >= recorded) return
  const id = basename(folder)
  const message = `the journal of import ${id} is an older copy (${bytes} of ${recorded} bytes)`
  throw new FacescanError('configuration', message, {
    hint: [
      'Nothing was sent, because rows could be saved twice. Restore the latest journal.',
      `If that is not possible, check which answers were saved (facescan answers list), then run: facescan imports remove ${id}`,
    ],
  })
}
