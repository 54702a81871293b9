import { RefusedError } from '../../base/errors.ts'
import { count, countOf, quoteWord } from '../../base/text.ts'
import { hasFinished, type KnownImport, recoverImport } from '../../bulk/imports.ts'
import type { HeaderRecord } from '../../bulk/journal/record.ts'
import { acquireLock, type Lock } from '../../bulk/lock.ts'
import { countStates } from '../../bulk/summary.ts'
import type { Context } from '../../framework/context.ts'
import { followUp } from '../../output/hint.ts'
import { describeEnd, findStarted, importsTo, isSameContent } from './earlier-imports.ts'
import type { ImportRequest } from './options.ts'
import type { PlannedImport } from './plan-import.ts'
import { resumeWords } from './resume-hint.ts'
import type { ChosenImport } from './send-import.ts'

type ContinueChoice = Pick<ImportRequest, 'again' | 'repeatResult' | 'resumed' | 'keyReplaced'>

/**
 * Resumes a stopped import of the same content. Returns undefined if the content can be imported as a new import. Returns the finished
 * import if its result was not reported, or if --repeat-result is set. Also returns the finished import of a shard, because a scheduler can
 * have restarted the task of the shard.
 */
export async function continueImport(
  ctx: Context,
  { header, known, started }: Pick<PlannedImport, 'header' | 'known' | 'started'>,
  choice: ContinueChoice,
): Promise<ChosenImport | { finished: KnownImport } | undefined> {
  refuseOtherShards(known, header, choice)
  if (started === undefined) return undefined
  if (started.status === 'finished') {
    const isRepeated = started.isUnreported || choice.repeatResult || header.settings.shard
    if (!isRepeated) throw alreadyImported(started)
    return { finished: started }
  }
  const lock = await acquireLock(started.folder, { ...ctx, settleMs: ctx.flags.timeout })
  if (!hasFinished(started.folder)) return resume(ctx, started, header, lock, choice)
  // Another process has finished the import since the list of imports was read, so the list is read again.
  await lock.release()
  const now = await importsTo(ctx, header)
  return continueImport(ctx, { header, known: now, started: findStarted(now, header, choice) }, choice)
}

/** Refuses a file that was changed after its import stopped. Called before invalid rows are reported. */
export function refuseChanged(
  { header, known }: Pick<PlannedImport, 'header' | 'known'>,
  { resumed }: ContinueChoice,
): void {
  if (resumed) refuseAnother(resumed, header)
  if (resumed || header.source === '-' || known.some((stored) => isSameContent(stored, header))) return
  const changed = known.find(
    ({ status, header: old }) => status !== 'finished' && old.source === header.source,
  )
  if (changed) throw inputChanged(changed, header)
}

/** Refuses another number of shards than before, because the batches would differ. Only the first shard needs --again. */
function refuseOtherShards(
  known: readonly KnownImport[],
  header: HeaderRecord,
  { again }: ContinueChoice,
): void {
  const countOfShards = (other: HeaderRecord) => other.settings.shard?.count
  const same = known.filter((stored) => isSameContent(stored, header))
  const count = countOfShards(header)
  const latest = same.at(-1)
  const isChosen = again || (latest !== undefined && countOfShards(latest.header) === count)
  const other = same.findLast(
    (stored) => countOfShards(stored.header) !== count && !(isChosen && stored.status === 'finished'),
  )
  if (!other) return
  const shards = countOfShards(other.header)
  const how = shards ? `with ${shards} shards` : 'without shards'
  const repeat = `To save every answer again ${count ? `in ${count} shards` : 'without shards'}, add --again.`
  throw new RefusedError(`an import of the same content (${other.id}) was started ${how}`, {
    hint: [
      `Use the same number of shards, or remove that import: facescan imports remove ${other.id}`,
      ...(other.status === 'finished' ? [repeat] : []),
    ].join('\n'),
  })
}

async function resume(
  ctx: Context,
  stored: KnownImport,
  header: HeaderRecord,
  lock: Lock,
  choice: ContinueChoice,
): Promise<ChosenImport> {
  try {
    refuseOther(ctx, stored, header, choice)
    const recovered = await recoverImport(stored.folder)
    const { totals } = recovered.state
    const { accepted, rejected, unsent, rows } = countStates(stored.header, totals)
    // Open rows may have been sent, so they are first checked with the service.
    const left = unsent + totals.open
    const done = [
      `${count(accepted + rejected)} of ${countOf(rows, 'answer')} processed`,
      ...(totals.unknown > 0 ? [`${count(totals.unknown)} unknown`] : []),
      ...(totals.open > 0 ? [`${count(totals.open)} to check with the service`] : []),
    ].join(', ')
    const question = `Resume import ${stored.id} of this file (${done})?`
    if (choice.resumed || !ctx.ask.possible) ctx.note(`resuming import ${stored.id}: ${done}`)
    else if (left > 0 && !(await ctx.ask.confirm(question, { default: true }))) {
      throw new RefusedError('canceled; nothing was sent', {
        hint: `To start over, remove the import first: facescan imports remove ${stored.id}`,
      })
    }
    const chosen = { header: stored.header, folder: stored.folder }
    return { ...chosen, left, resumed: { ...chosen, lock, recovered } }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Throws if the import was started with another key, or with settings that would change its requests. */
function refuseOther(
  { flags }: Context,
  { id, header: old }: KnownImport,
  header: HeaderRecord,
  { keyReplaced }: Pick<ImportRequest, 'keyReplaced'>,
): void {
  const words = resumeWords(old, header.source)
  if (!keyReplaced && old.key !== undefined && old.key !== header.key) {
    throw new RefusedError(`import ${id} of this file was started with a different key`, {
      hint: [
        `If the new key accesses the same users, resume with: facescan ${words} --key-replaced`,
        'If the new key accesses other users, store each key in its own profile: facescan profiles add ACME-DEV',
      ].join('\n'),
    })
  }
  const different = differences(old, header)
  if (different.length > 0) {
    throw new RefusedError(
      `import ${id} of this file was started with different settings: ${different.join(', ')}`,
      { hint: `Resume with its original settings: ${followUp(words, flags)}` },
    )
  }
  // After this command checked the file, another process can have started the import with other lookup keys.
  if (String(old.keys) !== String(header.keys)) {
    throw new RefusedError(`import ${id} of this file was started with different lookup keys`, {
      hint: 'Run the same command again.',
    })
  }
}

function differences(old: HeaderRecord, now: HeaderRecord): string[] {
  const settingsOf = ({ settings, skipInvalid }: HeaderRecord): Readonly<Record<string, unknown>> => {
    const { shard: _, withUsers: _users, ids, delimiter, ...others } = settings
    const written = {
      ids: typeof ids === 'number' ? `pad:${ids}` : ids,
      delimiter: delimiter?.replace('\t', 'tab'),
    }
    return { ...others, ...written, skipInvalid }
  }
  const [before, after] = [settingsOf(old), settingsOf(now)]
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name) => {
    const [text, other] = [show(before[name]), show(after[name])]
    const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    return text === other ? [] : [`--${flag} ${text} (now ${other})`]
  })
}

function show(setting: unknown): string {
  if (!setting) return 'not set'
  if (setting === true) return 'set'
  const isMapping = typeof setting === 'object' && !Array.isArray(setting)
  const text = String(isMapping ? Object.entries(setting).map((pair) => pair.join('=')) : setting)
  return text === '' ? 'not set' : quoteWord(text)
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
    hint: `Use the original input, or remove the import: facescan imports remove ${id}`,
  })
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
