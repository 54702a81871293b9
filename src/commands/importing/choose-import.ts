import { basename } from 'node:path'
import { RefusedError } from '../../base/errors.ts'
import { requireDirectory } from '../../base/system/paths.ts'
import { count } from '../../base/text/count.ts'
import { listImports, makeImportFolder, readImport, type StoredImport } from '../../bulk/imports.ts'
import type { HeaderRecord } from '../../bulk/journal/record.ts'
import { acquireLock, type Lock } from '../../bulk/lock.ts'
import { countStates } from '../../bulk/summary.ts'
import type { Context } from '../../command/context.ts'
import { followUp } from '../../command/follow-up.ts'

/** An import that came to its end, with all of it on record. */
export type FinishedImport = StoredImport & { header: HeaderRecord }

/** The import to work on, which no other process can work on meanwhile. */
export interface ChosenImport {
  header: HeaderRecord
  folder: string
  lock: Lock
}

interface Choice {
  again: boolean
  /** The import that was asked for by its id: nothing else may be begun in its place. */
  resumed?: HeaderRecord | undefined
}

/**
 * Goes on with an import of the same content that stopped, or begins a new one; refuses where that would be a surprise.
 * Answers with the one that finished where nothing is left to do: a scheduler runs the task of a shard again, even one that had come to its end.
 */
export async function chooseImport(
  ctx: Context,
  header: HeaderRecord,
  { again, resumed }: Choice,
): Promise<ChosenImport | { finished: FinishedImport }> {
  const stateDirectory = requireDirectory(ctx.paths, 'state')
  const known = (await listImports(stateDirectory)).filter((stored) => isSamePlace(stored, header))
  const content = known.filter((stored) => isSameContent(stored, header))
  const otherCut = content.find(
    ({ status, header: stored }) =>
      stored?.settings.shard?.count !== header.settings.shard?.count && !(again && status === 'finished'),
  )
  if (otherCut?.header) throw otherwiseCut(otherCut, otherCut.header)
  const same = content.filter((stored) => isSameShard(stored, header))
  const unfinished = same.find(({ status }) => status !== 'finished')
  const lookAgain = () => chooseImport(ctx, header, { again, resumed })
  if (unfinished?.header) {
    const lock = await lockWhere(unfinished.folder, (now) => now?.status !== 'finished')
    if (!lock) return lookAgain()
    return goOn(ctx, unfinished, unfinished.header, header, lock, resumed !== undefined)
  }
  const finished = same.at(-1)
  if (finished?.header && !again) {
    if (!header.settings.shard) throw alreadyImported(finished, finished.header)
    return { finished: { ...finished, header: finished.header } }
  }
  const folder = await makeImportFolder(stateDirectory, header, again ? header.at : undefined)
  const lock = await lockWhere(folder, (now) => now?.header === undefined)
  return lock ? { header: { ...header, id: basename(folder) }, folder, lock } : lookAgain()
}

/** Refuses a file that has changed since an import of it stopped. Comes before the check of its rows is reported. */
export async function refuseChanged(ctx: Context, header: HeaderRecord, { resumed }: Choice): Promise<void> {
  if (resumed) return refuseAnother(resumed, header)
  const { state } = ctx.paths
  if (header.source === '-' || state === undefined) return
  const known = (await listImports(state)).filter((stored) => isSamePlace(stored, header))
  if (known.some((stored) => isSameContent(stored, header))) return
  const changed = known.find(
    ({ status, header: old }) => status !== 'finished' && old?.source === header.source,
  )
  if (changed) throw inputChanged(changed, header)
}

/** The header of the import of this content that is not to be begun once more, if there is one. */
export async function findBegun(
  ctx: Context,
  header: HeaderRecord,
  { again }: Choice,
): Promise<HeaderRecord | undefined> {
  const { state } = ctx.paths
  const imports = state === undefined ? [] : await listImports(state)
  const found = imports.findLast(
    (stored) =>
      !(again && stored.status === 'finished') &&
      [isSamePlace, isSameContent, isSameShard].every((isSame) => isSame(stored, header)),
  )
  return found?.header
}

/**
 * Takes the lock of an import that is still as it was seen. Until then another process may have worked on it, even to its end:
 * then its journal is gone, and whoever began anew would save every answer twice.
 */
async function lockWhere(
  folder: string,
  isAsSeen: (now: StoredImport | undefined) => boolean,
): Promise<Lock | undefined> {
  const lock = await acquireLock(folder)
  if (isAsSeen(await readImport(folder))) return lock
  await lock.release()
  return undefined
}

function isSamePlace({ header: stored }: StoredImport, header: HeaderRecord): boolean {
  return stored?.profile === header.profile && stored.host === header.host
}

function isSameContent({ header: stored }: StoredImport, header: HeaderRecord): boolean {
  return stored?.identity.sha256 === header.identity.sha256
}

function isSameShard({ header: stored }: StoredImport, header: HeaderRecord): boolean {
  return stored?.settings.shard?.index === header.settings.shard?.index
}

async function goOn(
  ctx: Context,
  stored: StoredImport,
  old: HeaderRecord,
  header: HeaderRecord,
  lock: Lock,
  isNamed: boolean,
): Promise<ChosenImport> {
  try {
    if (!isNamed && old.key !== undefined && old.key !== header.key) throw otherKey(stored)
    const different = differences(old, header)
    if (different.length > 0) {
      throw new RefusedError(
        `import ${stored.id} of this file was started with other settings: ${different.join(', ')}`,
        {
          hint: `Go on as it was started with: ${followUp(`imports resume ${stored.id}`, ctx.flags)}`,
        },
      )
    }
    const { accepted, rejected, unknown, rows } = countStates(old, stored.totals ?? noTotals)
    const unclear = unknown > 0 ? ` and the outcome of ${count(unknown)} is unknown` : ''
    const done = `${count(accepted + rejected)} of ${count(rows)} rows are done${unclear}`
    if (!ctx.ask.possible) ctx.note(`going on with import ${stored.id}: ${done}`)
    else if (
      !(await ctx.ask.confirm(`Import ${stored.id} of this file stopped; ${done}. Go on with it?`, {
        default: true,
      }))
    )
      throw new RefusedError('nothing was sent', {
        hint: `To start afresh, forget it first with: facescan imports remove ${stored.id}`,
      })
    return { header: old, folder: stored.folder, lock }
  } catch (error) {
    await lock.release()
    throw error
  }
}

const noTotals = { accepted: 0, rejected: 0, unknown: 0, open: 0 }

/** The settings that make batches; with others a resumed import could not rebuild them. */
function differences(old: HeaderRecord, now: HeaderRecord): string[] {
  const settings = (header: HeaderRecord) => ({
    'batch-size': header.settings.batchSize,
    timezone: header.settings.timezone ?? 'none',
    map: JSON.stringify(header.settings.map ?? {}),
    delimiter: JSON.stringify(header.settings.delimiter ?? 'found'),
    'skip-invalid': header.skipInvalid,
  })
  const [before, after] = [Object.entries(settings(old)), Object.values(settings(now))]
  return before.flatMap(([name, value], n) =>
    value === after[n] ? [] : [`--${name} ${value}, not ${after[n]}`],
  )
}

function refuseAnother({ id, host, identity, source }: HeaderRecord, now: HeaderRecord): void {
  if (now.host !== host) {
    throw new RefusedError(`import ${id} was started with the service at ${host}, not at ${now.host}`, {
      hint: 'Give the same base URL, in the profile or in FACESCAN_BASE_URL.',
    })
  }
  if (now.identity.sha256 === identity.sha256) return
  if (now.source === source && source !== '-') throw inputChanged({ id }, now)
  const given = now.source === '-' ? 'standard input' : now.source
  throw new RefusedError(`import ${id} was started with another content than that of ${given}`, {
    hint: `Give the content it was started with, or forget it with: facescan imports remove ${id}`,
  })
}

function alreadyImported({ id }: StoredImport, { source }: HeaderRecord): RefusedError {
  const from = source === '-' ? '' : ` from ${source}`
  return new RefusedError(`this content was imported already${from} (import ${id})`, {
    hint: `To save every answer once more, add --again. See what came of it with: facescan imports show ${id}`,
  })
}

function otherwiseCut({ id }: StoredImport, { settings: { shard } }: HeaderRecord): RefusedError {
  const how = shard ? `in ${shard.count} shards` : 'as a whole'
  return new RefusedError(`import ${id} of this content was started ${how}`, {
    hint: `Cut it in the same way, or forget that import with: facescan imports remove ${id}`,
  })
}

/** The users of another key may be others, of whom nothing was sent yet. */
function otherKey({ id }: StoredImport): RefusedError {
  return new RefusedError(`import ${id} of this file was started with another key`, {
    hint: [
      `If this key is for the same users, go on with: facescan imports resume ${id}`,
      'If not, give each key a profile of its own with: facescan profiles add NAME',
    ].join('\n'),
  })
}

function inputChanged({ id }: Pick<StoredImport, 'id'>, { source }: HeaderRecord): RefusedError {
  return new RefusedError(`${source} has changed since import ${id} of it was started`, {
    hint: `Put the old content back to go on with it, or forget it with: facescan imports remove ${id}`,
  })
}
