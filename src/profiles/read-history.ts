import { basename } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { readOwnerFile } from '../base/system/owner-file.ts'
import type { Paths } from '../base/system/paths.ts'
import { toUuid } from '../contract/values.ts'
import { assertOwnLog, type Head, listHistoryFiles, readHead } from './history-files.ts'
import {
  type ChainEnd,
  type HistoryLine,
  type Intent,
  isUnaltered,
  origin,
  parseLine,
} from './history-line.ts'
import type { HistoryCheck, HistoryEntry } from './schemas.ts'

interface PlacedLine {
  file: string
  line: number
  text: string
  /** Undefined if the text is not a valid log line. */
  entry: HistoryLine | undefined
  isTerminated: boolean
}

export async function* readHistory(paths: Paths): AsyncGenerator<PlacedLine> {
  if (!paths.state) return
  await assertOwnLog(paths.state)
  for (const path of await listHistoryFiles(paths.state)) {
    const lines = ((await readOwnerFile(path)) ?? '').split('\n')
    for (const [index, text] of lines.entries()) {
      const isTerminated = index < lines.length - 1
      if (isTerminated || text !== '')
        yield { file: basename(path), line: index + 1, text, entry: parseLine(text), isTerminated }
    }
  }
}

/** Recomputes the chain of hashes and lists every altered, removed, added, reordered, or repeated line. */
export async function verifyHistory(paths: Paths): Promise<HistoryCheck> {
  for (;;) {
    const before = await findHead(paths)
    const check = await verifyLines(paths, before)
    // Another command may have appended to the log in the meantime.
    if (isDeepStrictEqual(before, await findHead(paths))) return check
  }
}

async function findHead({ state }: Paths): Promise<Head | 'damaged' | undefined> {
  if (state === undefined) return undefined
  await assertOwnLog(state)
  return readHead(state)
}

async function verifyLines(paths: Paths, head: Head | 'damaged' | undefined): Promise<HistoryCheck> {
  const problems: HistoryCheck['problems'] = []
  const files = new Set<string>()
  let end = origin
  let first: number | null = null
  let lines = 0
  for await (const placed of readHistory(paths)) {
    const { file, line, entry } = placed
    lines += 1
    files.add(file)
    problems.push(...findProblems(placed, end).map((problem) => ({ file, line, problem })))
    if (!entry) continue
    first ??= entry.sequence
    end = entry
  }
  const atEnd = findHeadProblem(head, end, lines)
  if (atEnd) problems.push({ file: 'history.head', line: 0, problem: atEnd })
  const last = first === null ? null : end.sequence
  return { ok: problems.length === 0, lines, files: files.size, first, last, problems }
}

function findProblems({ entry, text, isTerminated }: PlacedLine, before: ChainEnd): string[] {
  const unterminated = isTerminated ? [] : ['does not end with a line break']
  if (!entry) return ['is not a valid log line', ...unterminated]
  if (!isUnaltered(entry, text)) return ['was altered', ...unterminated]
  const damage = entry.event === 'damage' ? [`records earlier damage: ${entry.detail}`] : []
  return [...findBreak(entry, before), ...damage, ...unterminated]
}

function findBreak({ sequence, previous }: HistoryLine, before: ChainEnd): string[] {
  const expected = before.sequence + 1
  if (sequence > expected) return [`comes after a gap: ${countLines(expected, sequence - 1)} missing`]
  if (sequence < expected) return [`has sequence number ${sequence}, which is repeated or out of order`]
  return previous === before.hash ? [] : ['does not match the line before it']
}

function countLines(first: number, last: number): string {
  return first === last ? `line ${first} is` : `lines ${first} to ${last} are`
}

/** The head contains the last line, so it shows what is missing or added at the end of the log. */
function findHeadProblem(
  head: Head | 'damaged' | undefined,
  end: ChainEnd,
  lines: number,
): string | undefined {
  if (head === 'damaged') return 'is damaged'
  if (head === undefined) return lines > 0 ? 'is missing' : undefined
  if (end.sequence > head.sequence)
    return `is older than the log: it ends at line ${head.sequence}, but the log ends at line ${end.sequence}`
  const isUnfinished = !head.isAppended && end.sequence === head.sequence - 1
  // A process died before it appended the line. The next change appends it.
  if (isUnfinished && parseLine(head.line)?.previous === end.hash) return undefined
  if (end.sequence < head.sequence)
    return `is newer than the log: ${countLines(end.sequence + 1, head.sequence)} missing`
  return head.hash === end.hash ? undefined : 'does not match the last line'
}

interface HistoryFilter {
  profile?: string | undefined
  userId?: string | undefined
  /** The keyed hash of an external user ID. */
  externalIdHash?: string | undefined
}

/** The latest entries that match the filter, newest first. */
export async function listHistory(
  paths: Paths,
  filter: HistoryFilter,
  count: number,
): Promise<HistoryEntry[]> {
  const entries = new Map<number, HistoryEntry>()
  for await (const { entry } of readHistory(paths)) if (entry) addLine(entries, entry)
  const all = [...entries.values()]
  const isWanted = toFilter(filter, all)
  return all.filter(isWanted).slice(-count).toReversed()
}

function addLine(entries: Map<number, HistoryEntry>, line: HistoryLine): void {
  if (line.event === 'intent') entries.set(line.sequence, fromIntent(line))
  if (line.event !== 'outcome') return
  const { sequence, time, outcome, status, request_id, user_id, detail, intent } = line
  const started = entries.get(intent)
  if (!started) return
  const ids = { user_id: user_id ?? started.user_id, detail: detail ?? started.detail }
  const ended = { ...started, outcome, status, request_id, ...ids }
  if (started.outcome === 'started') entries.set(sequence, { ...ended, sequence, time })
  else entries.set(intent, ended)
}

function fromIntent(line: Intent & HistoryLine): HistoryEntry {
  const { event: _, is_import, ...intent } = line
  return { ...intent, outcome: is_import ? 'started' : 'unknown', status: null, request_id: null }
}

/** A user is found by either ID if one entry contains both. */
function toFilter(filter: HistoryFilter, all: readonly HistoryEntry[]): (entry: HistoryEntry) => boolean {
  const { profile, externalIdHash } = filter
  const userId = toUuid(filter.userId)
  const isUser = (entry: HistoryEntry) =>
    (userId !== undefined && entry.user_id === userId) ||
    (externalIdHash !== undefined && entry.external_id_hash === externalIdHash)
  const known = all.filter(isUser)
  const userIds = new Set(known.map(({ user_id }) => user_id).filter((id) => id !== null))
  const hashes = new Set(known.map(({ external_id_hash }) => external_id_hash).filter((id) => id !== null))
  const isAnyUser = userId === undefined && externalIdHash === undefined
  return (entry) =>
    (profile === undefined || entry.profile === profile) &&
    (isAnyUser || userIds.has(entry.user_id ?? '') || hashes.has(entry.external_id_hash ?? ''))
}
