import { writeSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeDirectory } from '../../base/system/make-directory.ts'

/** The file operations of a journal. Tests replace them with a failing disk. */
export interface JournalFile {
  append(bytes: Buffer): Promise<void>
  sync(): Promise<void>
  truncate(bytes: number): Promise<void>
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
  // At the same time, because each waits for the disk.
  const [handle] = await Promise.all([openAt(journalPath(folder), goodBytes), reserveSpace(reserve)])
  // A new file is durable only when its folder is synced too.
  await Promise.all([syncFolder(folder), syncFolder(dirname(folder))])
  return {
    append: (bytes) => appendAll(handle, bytes),
    sync: () => handle.datasync(),
    truncate: (bytes) => handle.truncate(bytes),
    releaseReserve: () => removeReserve(reserve),
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

async function reserveSpace(path: string): Promise<void> {
  const space = await open(path, 'w', 0o600)
  await space.write(Buffer.alloc(reserveBytes))
  await syncAndClose(space)
}

/** Synchronous, because writing to the page cache is faster than using another thread. */
async function appendAll({ fd }: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
}

async function removeReserve(path: string): Promise<boolean> {
  try {
    await rm(path)
    return true
  } catch {
    return false
  }
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder, and its file system journals names.
  if (process.platform === 'win32') return
  await syncAndClose(await open(path, 'r'))
}

async function syncAndClose(handle: FileHandle): Promise<void> {
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
