import { RefusedError } from '../../base/errors.ts'
import { requireDirectory } from '../../base/system/paths.ts'
import { count } from '../../base/text/count.ts'
import { quoteWord } from '../../base/text/shell-quote.ts'
import {
  createImport,
  listImports,
  readImport,
  refuseDamaged,
  type StoredImport,
} from '../../bulk/imports.ts'
import type { HeaderRecord } from '../../bulk/journal/record.ts'
import { acquireLock, type Lock } from '../../bulk/lock.ts'
import { countStates } from '../../bulk/summary.ts'
import type { Context } from '../../command/context.ts'
import { followUp } from '../../command/follow-up.ts'

export type FinishedImport = StoredImport & { header: HeaderRecord }

export interface ChosenImport {
  header: HeaderRecord
  folder: string
  lock: Lock
  isNew: boolean
}

interface Choice {
  again: boolean
  /** The import to resume, if the person named its ID. No other import is started instead. */
  resumed?: HeaderRecord | undefined
  /** Whether another key for the same users is accepted. */
  keyReplaced?: boolean | undefined
}

/**
 * Resumes a stopped import of the same content, or starts a new import. Returns a finished import if a shard has
 * nothing left to do, because a scheduler may run its task again.
 */
export async function chooseImport(
  ctx: Context,
  header: HeaderRecord,
  choice: Choice,
): Promise<ChosenImport | { finished: FinishedImport }> {
  const { again } = choice
  const stateDirectory = requireDirectory(ctx.paths, 'state')
  const known = (await listImports(stateDirectory)).filter((stored) => isSamePlace(stored, header))
  const content = known.filter((stored) => isSameContent(stored, header))
  const otherShardCount = content.find(
    ({ status, header: stored }) =>
      stored?.settings.shard?.count !== header.settings.shard?.count && !(again && status === 'finished'),
  )
  if (otherShardCount?.header) throw otherShards(otherShardCount, otherShardCount.header)
  const same = content.filter((stored) => isSameShard(stored, header))
  const unfinished = same.find(({ status }) => status !== 'finished')
  const lookAgain = () => chooseImport(ctx, header, choice)
  if (unfinished?.header) {
    const lock = await lockUnfinished(unfinished.folder)
    if (!lock) return lookAgain()
    return resume(ctx, unfinished, unfinished.header, header, lock, choice)
  }
  const finished = same.at(-1)
  if (finished?.header && !again) {
    if (!header.settings.shard) throw alreadyImported(finished, finished.header)
    return { finished: { ...finished, header: finished.header } }
  }
  const created = await createImport(stateDirectory, header, again ? header.at : undefined)
  const stored = created.isNew ? undefined : await readImport(created.folder)
  if (stored?.status === 'damaged') throw refuseDamaged(stored)
  const lock = created.isNew && (await lockUnfinished(created.folder))
  return lock ? { ...created, lock } : lookAgain()
}

/** Refuses a file that changed after an import of it stopped. Called before problems of rows are reported. */
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

/** An earlier import of this content that must not be started again. */
export async function findStarted(
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

/** Locks an import. Returns undefined if another process has finished it in the meantime. */
async function lockUnfinished(folder: string): Promise<Lock | undefined> {
  const lock = await acquireLock(folder)
  if ((await readImport(folder))?.status !== 'finished') return lock
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

async function resume(
  ctx: Context,
  stored: StoredImport,
  old: HeaderRecord,
  header: HeaderRecord,
  lock: Lock,
  { keyReplaced, resumed }: Choice,
): Promise<ChosenImport> {
  try {
    if (!keyReplaced && old.key !== undefined && old.key !== header.key) throw otherKey(stored)
    const different = differences(old, header)
    if (different.length > 0) {
      throw new RefusedError(
        `import ${stored.id} of this file was started with different settings: ${different.join(', ')}`,
        {
          hint: `Resume with its original settings: ${followUp(`imports resume ${stored.id}`, ctx.flags)}`,
        },
      )
    }
    const { accepted, rejected, unknown, rows } = countStates(old, stored.totals)
    const unclear = unknown > 0 ? `, ${count(unknown)} unknown` : ''
    const done = `${count(accepted + rejected)} of ${count(rows)} rows processed${unclear}`
    if (resumed || !ctx.ask.possible) ctx.note(`resuming import ${stored.id}: ${done}`)
    else if (
      !(await ctx.ask.confirm(`Resume import ${stored.id} of this file (${done})?`, {
        default: true,
      }))
    )
      throw new RefusedError('canceled; nothing was sent', {
        hint: `To start over, remove it first: facescan imports remove ${stored.id}`,
      })
    return { header: old, folder: stored.folder, lock, isNew: false }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** A resumed import must rebuild the same batches. */
function differences(old: HeaderRecord, now: HeaderRecord): string[] {
  const settings = (header: HeaderRecord) => ({
    'batch-size': header.settings.batchSize,
    timezone: header.settings.timezone,
    map: Object.entries(header.settings.map ?? {})
      .map((pair) => quoteWord(pair.join('=')))
      .join(' --map '),
    delimiter: header.settings.delimiter && quoteWord(header.settings.delimiter.replace('\t', 'tab')),
    'skip-invalid': header.skipInvalid,
  })
  const [before, after] = [Object.entries(settings(old)), Object.values(settings(now))]
  return before.flatMap(([name, value], n) =>
    value === after[n] ? [] : [`--${name} ${show(value)} (now ${show(after[n])})`],
  )
}

function show(setting: string | number | boolean | undefined): string {
  if (!setting) return 'not set'
  return setting === true ? 'set' : String(setting)
}

function refuseAnother({ id, host, identity, source }: HeaderRecord, now: HeaderRecord): void {
  if (now.host !== host) {
    throw new RefusedError(`import ${id} was started with the service at ${host}, not at ${now.host}`, {
      hint: 'Use the same base URL in the profile or in FACESCAN_BASE_URL.',
    })
  }
  if (now.identity.sha256 === identity.sha256) return
  if (now.source === source && source !== '-') throw inputChanged({ id }, now)
  const given = now.source === '-' ? 'standard input' : now.source
  throw new RefusedError(`${given} is not the input of import ${id}`, {
    hint: `Use the original content, or remove the import: facescan imports remove ${id}`,
  })
}

function alreadyImported({ id }: StoredImport, { source }: HeaderRecord): RefusedError {
  const from = source === '-' ? '' : ` from ${source}`
  return new RefusedError(`this content was already imported${from} (import ${id})`, {
    hint: `To save every answer again, add --again. Show the import: facescan imports show ${id}`,
  })
}

function otherShards({ id }: StoredImport, { settings: { shard } }: HeaderRecord): RefusedError {
  const how = shard ? `with ${shard.count} shards` : 'without shards'
  return new RefusedError(`import ${id} of the same content was started ${how}`, {
    hint: `Use the same number of shards, or remove that import: facescan imports remove ${id}`,
  })
}

function otherKey({ id }: StoredImport): RefusedError {
  return new RefusedError(`import ${id} of this file was started with a different key`, {
    hint: [
      `If this key is for the same users, resume with: facescan imports resume ${id} --key-replaced`,
      'If it is for other users, store each key in its own profile: facescan profiles add ACME-DEV',
    ].join('\n'),
  })
}

function inputChanged({ id }: Pick<StoredImport, 'id'>, { source }: HeaderRecord): RefusedError {
  return new RefusedError(`${source} has changed since import ${id} was started`, {
    hint: `Restore the original content and resume, or remove the import: facescan imports remove ${id}`,
  })
}
