import { RefusedError } from '../../base/errors.ts'
import { requireDirectory } from '../../base/paths.ts'
import { count, countOf } from '../../base/text.ts'
import {
  hasFinished,
  type KnownImport,
  listImports,
  type RecoveredImport,
  recoverImport,
} from '../../bulk/imports.ts'
import type { HeaderRecord } from '../../bulk/journal/record.ts'
import { acquireLock, type Lock } from '../../bulk/lock.ts'
import { createImport, locateImport } from '../../bulk/new-import.ts'
import { countStates } from '../../bulk/summary.ts'
import type { Context } from '../../framework/context.ts'
import { lockOptions } from '../../framework/lock-options.ts'
import type { ImportRequest } from './options.ts'
import { refuseOther } from './same-settings.ts'

/** An import whose lock is held. */
export interface OpenImport {
  header: HeaderRecord
  folder: string
  lock: Lock
  /** Undefined for a new import. */
  recovered?: RecoveredImport | undefined
}

export interface ChosenImport {
  /** Number of remaining answers. Undefined for a new import. */
  left?: number | undefined
  /** The import that is resumed. */
  resumed?: OpenImport
  /** Creates a new import. Call this after the confirmation, so that an import without a confirmation leaves no record. */
  create(): Promise<OpenImport>
}

type Choice = Pick<ImportRequest, 'again' | 'repeatResult' | 'resumed' | 'keyReplaced'>

/** A new import, and earlier imports that may contain the same rows. */
interface Candidate {
  header: HeaderRecord
  known: readonly KnownImport[]
}

/**
 * Resumes a stopped import of the same content, or starts a new import. Returns a finished import if its result may be reported again.
 * There are three cases: the result was not reported yet, the command line requests the result, or a scheduler may have restarted the task
 * of a shard.
 */
export async function chooseImport(
  ctx: Context,
  { header, known }: Candidate,
  choice: Choice,
): Promise<ChosenImport | { finished: KnownImport }> {
  refuseOtherShards(known, header, choice)
  // Another process may start or finish the import at any time.
  const lookAgain = async () => chooseImport(ctx, { header, known: await importsTo(ctx, header) }, choice)
  const started = findStarted(known, header, choice)
  if (started?.status === 'finished') {
    const isRepeated = started.isUnreported || choice.repeatResult || header.settings.shard
    if (!isRepeated) throw alreadyImported(started)
    return { finished: started }
  }
  if (started) {
    const lock = await lockUnfinished(ctx, started.folder)
    return lock ? resume(ctx, started, header, lock, choice) : lookAgain()
  }
  const { id, folder } = await locateImport(requireDirectory(ctx.paths, 'state'), header, choice.again)
  return { create: () => create(ctx, folder, { ...header, id }) }
}

async function create(ctx: Context, folder: string, header: HeaderRecord): Promise<OpenImport> {
  if (await createImport(folder, header))
    return { header, folder, lock: await acquireLock(folder, lockOptions(ctx)) }
  throw new RefusedError(`another process has started this import (${header.id}) in the meantime`, {
    hint: 'Run the same command again.',
  })
}

/** Refuses a file that was changed after its import stopped. Called before invalid rows are reported. */
export function refuseChanged({ header, known }: Candidate, { resumed }: Choice): void {
  if (resumed) refuseAnother(resumed, header)
  if (resumed || header.source === '-' || known.some((stored) => isSameContent(stored, header))) return
  const changed = known.find(
    ({ status, header: old }) => status !== 'finished' && old.source === header.source,
  )
  if (changed) throw inputChanged(changed, header)
}

/** An earlier import of the same rows that must not be started again, because it is not finished or its result was not reported. */
export function findStarted(
  known: readonly KnownImport[],
  header: HeaderRecord,
  { again }: Choice,
): KnownImport | undefined {
  const same = known.filter(
    (stored) =>
      isSameContent(stored, header) && stored.header.settings.shard?.index === header.settings.shard?.index,
  )
  return (
    same.find(({ status, isUnreported }) => status !== 'finished' || isUnreported) ??
    (again ? undefined : same.at(-1))
  )
}

function refuseOtherShards(known: readonly KnownImport[], header: HeaderRecord, { again }: Choice): void {
  const other = known.find(
    (stored) =>
      isSameContent(stored, header) &&
      stored.header.settings.shard?.count !== header.settings.shard?.count &&
      !(again && stored.status === 'finished'),
  )
  if (!other) return
  const { shard } = other.header.settings
  const how = shard ? `with ${shard.count} shards` : 'without shards'
  throw new RefusedError(`an import of the same content (${other.id}) was started ${how}`, {
    hint: `Use the same number of shards, or remove that import: facescan imports remove ${other.id}`,
  })
}

export async function importsTo({ paths }: Context, { profile, host }: HeaderRecord): Promise<KnownImport[]> {
  const imports = paths.state === undefined ? [] : await listImports(paths.state, true)
  return imports.filter(
    (stored): stored is KnownImport => stored.header?.profile === profile && stored.header.host === host,
  )
}

function isSameContent({ header: old }: KnownImport, { identity }: HeaderRecord): boolean {
  return old.identity.sha256 === identity.sha256
}

/** Locks an import. Returns undefined if another process has finished the import in the meantime. */
async function lockUnfinished(ctx: Context, folder: string): Promise<Lock | undefined> {
  const lock = await acquireLock(folder, lockOptions(ctx))
  if (!hasFinished(folder)) return lock
  await lock.release()
  return undefined
}

async function resume(
  ctx: Context,
  stored: KnownImport,
  header: HeaderRecord,
  lock: Lock,
  choice: Choice,
): Promise<ChosenImport> {
  try {
    refuseOther(ctx, stored, header, choice)
    const recovered = await recoverImport(stored.folder)
    const { totals } = recovered.state
    const { accepted, rejected, unknown, unsent, rows } = countStates(stored.header, totals)
    // The number includes rows with an unknown outcome, which the import checks before it sends them again.
    const left = unsent + totals.open
    const unclear = unknown > 0 ? `, ${count(unknown)} unknown` : ''
    const done = `${count(accepted + rejected)} of ${countOf(rows, 'row')} processed${unclear}`
    const question = `Resume import ${stored.id} of this file (${done})?`
    if (choice.resumed || !ctx.ask.possible) ctx.note(`resuming import ${stored.id}: ${done}`)
    else if (left > 0 && !(await ctx.ask.confirm(question, { default: true }))) {
      throw new RefusedError('canceled; nothing was sent', {
        hint: `To start over, remove the import first: facescan imports remove ${stored.id}`,
      })
    }
    const resumed = { header: stored.header, folder: stored.folder, lock, recovered }
    return { left, resumed, create: async () => resumed }
  } catch (error) {
    await lock.release()
    throw error
  }
}

function refuseAnother({ id, host, identity, source }: HeaderRecord, now: HeaderRecord): void {
  if (now.host !== host) {
    throw new RefusedError(`import ${id} was started with ${host}, but this command uses ${now.host}`, {
      hint: 'Use the base URL of that import, in the profile or in FACESCAN_BASE_URL.',
    })
  }
  if (now.identity.sha256 === identity.sha256) return
  if (now.source === source && source !== '-') throw inputChanged({ id }, now)
  const given = now.source === '-' ? 'standard input' : now.source
  throw new RefusedError(`the content of ${given} does not match the input of import ${id}`, {
    hint: `Use the original content, or remove the import: facescan imports remove ${id}`,
  })
}

export function describeEnd({ lastAt, header }: KnownImport): string {
  return `on ${new Date(lastAt ?? header.at).toISOString().slice(0, 10)}`
}

function alreadyImported(finished: KnownImport): RefusedError {
  const { id, header } = finished
  const { source } = header
  const from = source === '-' ? '' : ` from ${source}`
  return new RefusedError(
    `this content was already imported ${describeEnd(finished)}${from} (import ${id})`,
    {
      hint: [
        'To save every answer again, add --again. To report the result again, add --repeat-result.',
        `Show the import: facescan imports show ${id}`,
      ].join('\n'),
    },
  )
}

function inputChanged({ id }: Pick<KnownImport, 'id'>, { source }: HeaderRecord): RefusedError {
  return new RefusedError(`${source} has changed since import ${id} was started`, {
    hint: `Restore the original content and resume, or remove the import: facescan imports remove ${id}`,
  })
}
