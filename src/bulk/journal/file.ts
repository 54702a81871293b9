import { writeSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeDirectory } from '../../base/system/make-directory.ts'

/** What a journal needs of a file, so that a test can put a failing disk underneath. */
export interface JournalFile {
  append(bytes: Buffer): Promise<void>
  sync(): Promise<void>
  truncate(bytes: number): Promise<void>
  /** Gives the reserved space back; false where there is none left. */
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
 * Opens the journal of an import folder for appending after its first `goodBytes`, makes the folder where there is none,
 * and reserves space for the records that close a run on a full disk. Readable by the owner only.
 */
export async function openJournalFile(folder: string, goodBytes: number): Promise<JournalFile> {
  makeDirectory(folder)
  const reserve = join(folder, reserveName)
  // Each of these waits for the disk, which is as fast with all of them at once.
  const [handle] = await Promise.all([openAt(journalPath(folder), goodBytes), reserveSpace(reserve)])
  // A new name is durable only once the folder that holds it is.
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

/** Into the page cache, which is faster than asking another thread to do so. */
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
  // Windows has no handle for a folder; its file system journals names by itself.
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
