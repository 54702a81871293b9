import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { FacescanError, UsageError } from '../base/errors.ts'
import { makeDirectory } from '../base/system/make-directory.ts'
import { systemCode } from '../base/system/system-code.ts'
import { journalPath, openJournalFile } from './journal/file.ts'
import { Journal } from './journal/journal.ts'
import type { HeaderRecord } from './journal/record.ts'
import { type Recovered, recoverJournal } from './journal/recovery.ts'
import { JournalState, type Totals } from './journal/state.ts'
import { acquireLock, readHolder } from './lock.ts'
import { refusingState } from './refusing.ts'
import { confusableMs } from './send/service-clock.ts'
import type { ResultPaths } from './summary.ts'

/** An import as it lies in the state directory. */
export interface StoredImport {
  id: string
  folder: string
  status: 'running' | 'stopped' | 'finished' | 'damaged'
  header?: HeaderRecord | undefined
  totals?: Totals | undefined
  /** Of one that is finished. */
  files?: ResultPaths
  /** Service time of the last thing that was written down, in ms. */
  lastAt?: number | undefined
  /** Why it cannot be read. */
  problem?: string | undefined
}

/** What is kept of an import that is over: enough to know the file again, nothing of its content. */
interface FinishedRecord {
  header: HeaderRecord
  totals: Totals
  at: number
  files?: ResultPaths
}

const finishedName = 'finished.json'

function importsFolder(stateDirectory: string): string {
  return join(stateDirectory, 'imports')
}

/** Every import that was started and not removed, oldest first. */
export async function listImports(stateDirectory: string): Promise<StoredImport[]> {
  const root = importsFolder(stateDirectory)
  const entries = await readdir(root, { withFileTypes: true }).catch(() => [])
  // A file manager may have left a file of its own there.
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(root, name))
  const found: StoredImport[] = []
  // One after the other: years of imports have more files than a process may open at once.
  for (const folder of folders) {
    const stored = await readImport(folder)
    if (stored) found.push(stored)
  }
  const startedAt = ({ header }: StoredImport) => header?.at ?? 0
  return found.sort((a, b) => startedAt(a) - startedAt(b))
}

/** The import whose id begins with `text`; refuses where there is none or more than one. */
export async function findImport(stateDirectory: string, text: string): Promise<StoredImport> {
  const matching = (await listImports(stateDirectory)).filter(({ id }) => text !== '' && id.startsWith(text))
  const [only, ...others] = matching
  if (only !== undefined && others.length === 0) return only
  throw new UsageError(only ? `"${text}" begins more than one import` : `there is no import "${text}"`, {
    hint: 'See them with: facescan imports list',
  })
}

export async function readImport(folder: string): Promise<StoredImport | undefined> {
  const id = basename(folder)
  try {
    const finished = await readFinished(folder)
    if (finished) return { id, folder, status: 'finished', ...finished, lastAt: finished.at }
    const { state } = await recoverJournal(journalPath(folder))
    // Without a header nothing was ever sent: the process died while it was making the folder.
    if (state.header === undefined) return undefined
    const { header, totals, lastAt } = state
    return { id, folder, status: (await readHolder(folder)) ? 'running' : 'stopped', header, totals, lastAt }
  } catch (error) {
    if (error instanceof FacescanError) return { id, folder, status: 'damaged', problem: error.message }
    const code = systemCode(error)
    if (code === 'ENOENT') return undefined
    if (code === undefined) throw error
    return { id, folder, status: 'damaged', problem: `it cannot be read (${code})` }
  }
}

/** What was written down at the end; whoever took a damaged record for none would import everything once more. */
async function readFinished(folder: string): Promise<FinishedRecord | undefined> {
  const path = join(folder, finishedName)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw error
  })
  if (text === undefined) return undefined
  try {
    const record = JSON.parse(text) as FinishedRecord
    if (record.header.identity && record.totals) return record
  } catch {}
  throw new FacescanError('configuration', `${path} is damaged`, {
    hint: `That import had come to its end. To import its content once more, remove it with: facescan imports remove ${basename(folder)}`,
  })
}

/**
 * The folder of a new import. Its id follows from what is imported where, so that two processes that start the same
 * import meet at one lock; `again` tells a repeated one apart.
 */
export async function makeImportFolder(
  stateDirectory: string,
  { identity, profile, host, settings }: Pick<HeaderRecord, 'identity' | 'profile' | 'host' | 'settings'>,
  again: number | undefined,
): Promise<string> {
  const id = createHash('sha256')
    .update(JSON.stringify([identity, profile, host, again, settings.shard]))
    .digest('hex')
  const folder = join(importsFolder(stateDirectory), id.slice(0, 8))
  await refusingState(folder, async () => makeDirectory(folder))
  return folder
}

export interface OpenJournal {
  journal: Journal
  /** With a header, and what earlier runs did. */
  state: JournalState
}

/** Opens the journal of an import whose lock is held: goes on after its last whole record, or begins with the header. */
export function openJournal(folder: string, header: HeaderRecord): Promise<OpenJournal> {
  return refusingState(folder, () => openOrBegin(folder, header))
}

async function openOrBegin(folder: string, header: HeaderRecord): Promise<OpenJournal> {
  const path = journalPath(folder)
  const earlier = existsSync(path) ? await recoverJournal(path, confusableMs) : undefined
  if (earlier?.state.header !== undefined) return continueAfter(folder, earlier)
  await readFinished(folder)
  const journal = new Journal(await openJournalFile(folder, 0))
  const state = new JournalState(confusableMs)
  state.apply(header)
  // Durable with the first intent, before anything is sent.
  journal.append(header)
  return { journal, state }
}

async function continueAfter(folder: string, { state, goodBytes, crc, unterminated }: Recovered) {
  const file = await openJournalFile(folder, goodBytes)
  const newline = Buffer.from(unterminated ? '\n' : '')
  await file.append(newline)
  return { journal: new Journal(file, goodBytes + newline.length, crc), state }
}

/** The import is over: its journal goes, and what it was stays on record. */
export async function finishImport(folder: string, finished: FinishedRecord): Promise<void> {
  const { writeFile } = await import('atomically')
  await refusingState(folder, async () => {
    await writeFile(join(folder, finishedName), `${JSON.stringify(finished)}\n`, { mode: 0o600 })
    await rm(journalPath(folder), { force: true })
  })
}

/** While somebody was asked, another process may have gone on with it: its journal must not be taken away. */
export async function removeImport(folder: string): Promise<void> {
  await acquireLock(folder)
  await refusingState(folder, () => rm(folder, { recursive: true, force: true }))
}
