import { randomUUID } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ConfigurationError, FacescanError, systemCode, systemReason, UsageError } from '../base/errors.ts'
import { replaceFile } from '../base/files.ts'
import { orUndefined } from '../base/functions.ts'
import { shortHash } from '../base/text.ts'
import { journalPath, openJournalFile, recordedLength, refuseOlder, removeLength } from './journal/file.ts'
import { Journal } from './journal/journal.ts'
import { encodeRecord, type HeaderRecord, type Work } from './journal/record.ts'
import { type RecoveredJournal, recoverJournal } from './journal/recovery.ts'
import type { RejectedRows, Totals } from './journal/state.ts'
import { acquireLock, type Lock, type LockOptions, readHolder } from './lock.ts'
import type { MeasuredClock } from './service-clock.ts'
import type { ResultPaths } from './summary.ts'
import { parseCheckedText, toCheckedText, writeOrExplain } from './write-or-explain.ts'

/** The record of a finished import. It contains no rows. */
interface FinishedRecord {
  header: HeaderRecord
  totals: Totals
  at: number
  files?: ResultPaths
  /** Undefined for an import that was finished by version 0.1. */
  work?: Work | undefined
  /** The clock of the service, as measured until the last checkpoint. */
  clock?: MeasuredClock | undefined
  rejected?: RejectedRows | undefined
}

export interface StoredImport extends Partial<Omit<FinishedRecord, 'at'>> {
  id: string
  folder: string
  status: 'running' | 'stopped' | 'finished' | 'damaged'
  /** Whether the process may have ended before it printed the result of the import. */
  isUnreported?: boolean
  /** Time of the last record in ms, by the clock of the service. */
  lastAt?: number | undefined
  problem?: string | undefined
}

const finishedName = 'finished.json'
/** Name of a file that exists from the end of an import until its result is printed. */
const unreportedName = 'unreported'

function importsFolder(stateDirectory: string): string {
  return join(stateDirectory, 'imports')
}

/** All stored imports, oldest first. */
export async function listImports(stateDirectory: string): Promise<StoredImport[]> {
  const root = importsFolder(stateDirectory)
  const entries = await readdir(root, { withFileTypes: true }).catch((cause: unknown) => {
    if (systemCode(cause) === 'ENOENT') return []
    // An unreadable directory must not look like a directory without imports.
    throw new ConfigurationError(`cannot read ${root} (${systemReason(cause)})`, {
      hint: 'Check the permissions of the directory.',
      cause,
    })
  })
  // Other programs may have created files here, such as .DS_Store.
  const folders = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => join(root, name))
  const found: StoredImport[] = []
  // Read one at a time, because a process can open only a limited number of files.
  for (const folder of folders) {
    const stored = await readImport(folder)
    if (stored) found.push(stored)
  }
  const startedAt = ({ header }: StoredImport) => header?.at ?? 0
  return found.sort((a, b) => startedAt(a) - startedAt(b))
}

export async function findImport(stateDirectory: string, text: string): Promise<StoredImport> {
  const matching = (await listImports(stateDirectory)).filter(({ id }) => text !== '' && id.startsWith(text))
  const [only, ...others] = matching
  if (only !== undefined && others.length === 0) return only
  const problem = only ? `more than one import ID starts with "${text}"` : `import "${text}" not found`
  throw new UsageError(problem, { hint: 'List the imports: facescan imports list' })
}

export async function readImport(folder: string): Promise<StoredImport | undefined> {
  const id = basename(folder)
  try {
    const finished = await readFinished(folder)
    if (finished) return { id, folder, status: 'finished', ...finished, lastAt: finished.at }
    const { state } = await recover(folder)
    if (state.header === undefined) return damaged(folder, 'its journal is empty')
    const { header, totals, work, lastAt, rejected } = state
    const clock = state.checkpoint?.clock
    const status = (await readHolder(folder)) ? 'running' : 'stopped'
    return { id, folder, status, header, totals, work, lastAt, clock, rejected }
  } catch (error) {
    if (error instanceof FacescanError) return { id, folder, status: 'damaged', problem: error.message }
    const code = systemCode(error)
    if (code === undefined) throw error
    if (code !== 'ENOENT') return damaged(folder, `its journal cannot be read (${systemReason(error)})`)
    return existsSync(folder) ? damaged(folder, 'its journal is missing') : undefined
  }
}

function damaged(folder: string, problem: string): StoredImport {
  return { id: basename(folder), folder, status: 'damaged', problem }
}

function refuseDamaged({ id, folder, problem }: StoredImport): FacescanError {
  return new FacescanError('configuration', `import ${id} cannot be resumed: ${problem} (${folder})`, {
    hint: [
      'Nothing was sent. Restore the directory from a backup.',
      `If that is not possible, check which answers were saved (facescan answers list), then run: facescan imports remove ${id}`,
    ].join('\n'),
  })
}

export function hasFinished(folder: string): boolean {
  return existsSync(join(folder, finishedName))
}

/** Reads the record of a finished import. A damaged record must not count as missing, because the file would then be imported again. */
async function readFinished(folder: string) {
  const path = join(folder, finishedName)
  if (!hasFinished(folder)) return undefined
  const text = await readFile(path, 'utf8')
  try {
    const record = parseCheckedText(text) as FinishedRecord
    const isUnreported = existsSync(join(folder, unreportedName))
    if (record.header.identity && record.totals) return { ...record, isUnreported }
  } catch {}
  throw new FacescanError('configuration', `${path} is damaged`, {
    hint: `The import is already finished. To import the file again, first remove the import: facescan imports remove ${basename(folder)}`,
  })
}

/**
 * Creates the folder of a new import unless it exists. The ID is a hash of content and destination, so two processes that start the same
 * import use the same lock. A repeated import (`again`) also has the first free number.
 */
export async function createImport(
  stateDirectory: string,
  header: HeaderRecord,
  again = false,
): Promise<{ folder: string; header: HeaderRecord; isNew: boolean }> {
  const { identity, profile, host, settings } = header
  const nameOf = (number: number | undefined) =>
    shortHash(JSON.stringify([identity, profile, host, number, settings.shard]), 8)
  let id = nameOf(undefined)
  const root = importsFolder(stateDirectory)
  const isFinished = async () => (await readImport(join(root, id)))?.status === 'finished'
  for (let number = 1; again && (await isFinished()); number++) id = nameOf(number)
  const folder = join(root, id)
  const own = { ...header, id }
  const isNew = await writeOrExplain(folder, async () => {
    if (existsSync(folder)) return false
    const temporary = join(root, `.${id}.${randomUUID()}`)
    await writeHeader(temporary, own)
    if (await renameNew(temporary, folder)) {
      // A person may have deleted the directory, so the recorded length of its journal is removed.
      removeLength(folder)
      return true
    }
    await rm(temporary, { recursive: true, force: true })
    return false
  })
  const earlier = isNew ? undefined : await readImport(folder)
  if (earlier?.status === 'damaged') throw refuseDamaged(earlier)
  // The ID is a hash of the content, so a record with a different content was edited.
  if (earlier?.header && earlier.header.identity.sha256 !== identity.sha256)
    throw refuseDamaged(damaged(folder, 'its record belongs to a file with different content'))
  return { folder, header: own, isNew }
}

async function writeHeader(folder: string, header: HeaderRecord): Promise<void> {
  const file = await openJournalFile(folder, 0)
  await file.append(Buffer.from(encodeRecord(header, 0).line))
  await file.sync()
  await file.close()
}

/** Renames a folder. Returns false if another process has created the target in the meantime. */
async function renameNew(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if (existsSync(to)) return false
    throw error
  }
}

async function recover(folder: string): Promise<RecoveredJournal> {
  const recorded = recordedLength(folder)
  const recovered = await recoverJournal(journalPath(folder))
  const { goodBytes, isUnterminated, state } = recovered
  if (state.header !== undefined) refuseOlder(folder, goodBytes + (isUnterminated ? 1 : 0), recorded)
  return recovered
}

/** Opens the journal of an import after its last complete record. The caller holds the lock. */
export function openJournal(folder: string): Promise<Journal> {
  return writeOrExplain(folder, async () => {
    const recovered = await recover(folder)
    const file = await openJournalFile(folder, recovered.goodBytes)
    const missing = Buffer.from(recovered.isUnterminated ? '\n' : '')
    await file.append(missing)
    return new Journal(file, { ...recovered, goodBytes: recovered.goodBytes + missing.length })
  })
}

/**
 * Removes a new import that has sent nothing, and its lock. The folder is renamed first, because another process may then create a lock at
 * the same path.
 */
export async function withdrawImport({ folder, lock }: { folder: string; lock: Lock }): Promise<void> {
  const aside = join(dirname(folder), `.${basename(folder)}.${randomUUID()}`)
  // Only a journal that consists of a header has no time.
  const isUnsent = (await readImport(folder))?.lastAt === 0
  const isAside = isUnsent && (await renameNew(folder, aside).catch(() => false))
  if (isAside) {
    await rm(aside, { recursive: true, force: true }).catch(() => {})
    removeLength(folder)
  } else await lock.release()
}

/** Replaces the journal by a record of the finished import. */
export async function finishImport(folder: string, finished: FinishedRecord): Promise<void> {
  await writeOrExplain(folder, async () => {
    writeFileSync(join(folder, unreportedName), '', { mode: 0o600, flush: true })
    replaceFile(join(folder, finishedName), toCheckedText(finished))
    await rm(journalPath(folder), { force: true })
  })
}

/** Marks the result as printed. If this fails, the next run prints the result again. */
export function markReported(folder: string): void {
  orUndefined(() => rmSync(join(folder, unreportedName), { force: true }))
}

/** Removes an import. Takes the lock first, because another process may have resumed the import. */
export async function removeImport(folder: string, options: LockOptions): Promise<void> {
  const lock = await acquireLock(folder, options)
  await writeOrExplain(folder, () => rm(folder, { recursive: true, force: true }))
  removeLength(folder)
  await lock.release()
}
