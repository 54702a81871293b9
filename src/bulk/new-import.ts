import { randomUUID } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { RefusedError } from '../base/errors.ts'
import { replaceFile } from '../base/files.ts'
import { shortHash } from '../base/text.ts'
import { damaged, readImport, refuseDamaged } from './imports.ts'
import { journalPath, removeLength } from './journal/file.ts'
import { encodeRecord, type HeaderRecord } from './journal/record.ts'
import type { RecoveredJournal } from './journal/recovery.ts'
import { JournalState } from './journal/state.ts'
import { acquireLock, type Lock } from './lock.ts'
import type { LockOptions } from './lock-holder.ts'
import { writeOrExplain } from './write-or-explain.ts'

/**
 * Finds the directory for a new import. Its ID is a hash of content and destination, so two processes that start the same import use the
 * same lock. If `again` is set and this import is finished, a number is added to the hash, so that the import gets a new ID.
 */
export async function locateImport(
  stateDirectory: string,
  { identity, profile, host, settings }: HeaderRecord,
  again = false,
): Promise<{ id: string; folder: string }> {
  for (let number: number | undefined; ; number = (number ?? 0) + 1) {
    const id = shortHash(JSON.stringify([identity, profile, host, number, settings.shard]), 8)
    const folder = join(stateDirectory, 'imports', id)
    const stored = await readImport(folder)
    if (stored?.status === 'damaged') throw refuseDamaged(stored)
    // The import ID includes the hash of the input. If the journal contains a different hash, the journal was edited.
    if (stored?.header && stored.header.identity.sha256 !== identity.sha256)
      throw refuseDamaged(damaged(folder, 'its record belongs to a file with different content'))
    if (!again || stored?.status !== 'finished') return { id, folder }
  }
}

/** An import whose lock this process holds. */
export interface OpenImport {
  header: HeaderRecord
  folder: string
  lock: Lock
  recovered: RecoveredJournal
}

export async function openNewImport(
  folder: string,
  header: HeaderRecord,
  options: LockOptions,
): Promise<OpenImport> {
  const recovered = await createImport(folder, header)
  const lock = recovered && (await acquireLock(folder, options))
  // If another process resumed the import before this process acquired the lock, the journal is longer.
  const { size } = statSync(journalPath(folder), { throwIfNoEntry: false }) ?? {}
  if (lock && recovered.goodBytes === size) return { header, folder, lock, recovered }
  await lock?.release()
  throw new RefusedError(`another process has started this import (${header.id}) in the meantime`, {
    hint: 'Run the same command again.',
  })
}

/** Creates the directory of an import with a journal. Undefined if another process has already created the directory. */
export function createImport(folder: string, header: HeaderRecord): Promise<RecoveredJournal | undefined> {
  return writeOrExplain(folder, async () => {
    if (existsSync(folder)) return undefined
    const temporary = join(dirname(folder), `.${header.id}.${randomUUID()}`)
    const { line, crc } = encodeRecord(header, 0)
    replaceFile(journalPath(temporary), line)
    try {
      await rename(temporary, folder)
    } catch (error) {
      await rm(temporary, { recursive: true, force: true })
      if (existsSync(folder)) return undefined
      throw error
    }
    // The recorded length of a journal can remain from an earlier import whose directory was deleted by hand.
    removeLength(folder)
    const state = new JournalState()
    state.apply(header)
    return { state, goodBytes: Buffer.byteLength(line), crc, isUnterminated: false }
  })
}
