import { writeFileSync } from 'node:fs'
import { type FileHandle, open, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeDirectory } from '../../base/files.ts'
import { recordLength } from './length.ts'

/** The file operations of a journal. Tests replace them with a failing disk. */
export interface JournalFile {
  append(bytes: Buffer): Promise<void>
  sync(): Promise<void>
  truncate(bytes: number): Promise<void>
  /** Records the length that is on disk. */
  recordLength?(bytes: number): void
  /** Frees the reserved space. Returns false if it was already used. */
  releaseReserve(): Promise<boolean>
  close(): Promise<void>
}

const journalName = 'journal.ndjson'
const reserveName = 'reserved-space'
const reserveBytes = 256 * 1024

export function journalPath(folder: string): string {
  return join(folder, journalName)
}

/**
 * Opens the journal of an import for appending after its first `goodBytes`. Creates the folder if it does not exist,
 * and reserves space for the records that end a run on a full disk. Only the owner can read the files.
 */
export async function openJournalFile(folder: string, goodBytes: number): Promise<JournalFile> {
  makeDirectory(folder)
  const reserve = join(folder, reserveName)
  const handle = await openAt(journalPath(folder), goodBytes)
  await writeFile(reserve, Buffer.alloc(reserveBytes), { mode: 0o600, flush: true })
  // A new file is durable only when its folder is synced too.
  await syncFolder(folder)
  await syncFolder(dirname(folder))
  return {
    // Synchronous, because writing to the page cache is faster than using another thread.
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
      await rm(reserve, { force: true })
    },
  }
}

async function openAt(path: string, bytes: number): Promise<FileHandle> {
  const handle = await open(path, 'a', 0o600)
  try {
    await handle.truncate(bytes)
    await handle.sync()
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder, and its file system journals names.
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
