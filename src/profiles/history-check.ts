import { basename } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { readOwnerFile } from '../base/system/owner-file.ts'
import type { Paths } from '../base/system/paths.ts'
import { assertOwnLog, type Head, listHistoryFiles, readHead } from './history-end.ts'
import { type ChainEnd, type HistoryLine, isUnaltered, origin, parseLine } from './history-line.ts'

interface HistoryProblem {
  file: string
  /** From 1; 0 for a problem of the entire file. */
  line: number
  problem: string
}

export interface HistoryCheck {
  ok: boolean
  lines: number
  files: number
  /** Sequence numbers of the first and the last line. */
  first: number | null
  last: number | null
  problems: HistoryProblem[]
}

interface PlacedLine {
  file: string
  line: number
  text: string
  /** Undefined if the text is not a line of the log. */
  entry: HistoryLine | undefined
  /** Whether a line break follows. */
  isTerminated: boolean
}

/** Every line of the log, oldest first. */
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
  const problems: HistoryProblem[] = []
  const files = new Set<string>()
  let [end, lastLine]: [ChainEnd, number | null] = [origin, null]
  let first: number | null = null
  let lines = 0
  for await (const placed of readHistory(paths)) {
    const { file, line, entry } = placed
    lines += 1
    files.add(file)
    problems.push(...findProblems(placed, end).map((problem) => ({ file, line, problem })))
    if (!entry) continue
    first ??= entry.sequence
    lastLine = entry.sequence
    end = { sequence: entry.sequence, hash: entry.hash }
  }
  const atEnd = findHeadProblem(head, end, lines)
  if (atEnd) problems.push({ file: 'history.head', line: 0, problem: atEnd })
  return { ok: problems.length === 0, lines, files: files.size, first, last: lastLine, problems }
}

function findProblems({ entry, text, isTerminated }: PlacedLine, before: ChainEnd): string[] {
  const unterminated = isTerminated ? [] : ['does not end with a line break']
  if (!entry) return ['is not a line of the log', ...unterminated]
  if (!isUnaltered(entry, text)) return ['was altered', ...unterminated]
  const damage = entry.event === 'damage' ? [`reports damage: ${entry.detail}`] : []
  return [...findBreak(entry, before), ...damage, ...unterminated]
}

function findBreak({ sequence, previous }: HistoryLine, before: ChainEnd): string[] {
  const expected = before.sequence + 1
  if (sequence > expected) return [`follows a gap: ${countLines(expected, sequence - 1)} missing`]
  if (sequence < expected) return [`repeats or reorders line ${sequence}`]
  return previous === before.hash ? [] : ['does not continue the line before it']
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
    return `is older than the log: ${countLines(head.sequence + 1, end.sequence)} added`
  const isUnfinished = !head.isAppended && head.line !== undefined && end.sequence === head.sequence - 1
  // A process died before it appended the line. The next change appends it.
  if (isUnfinished && parseLine(head.line ?? '')?.previous === end.hash) return undefined
  if (end.sequence < head.sequence)
    return `is newer than the log: ${countLines(end.sequence + 1, head.sequence)} missing`
  return head.hash === end.hash ? undefined : 'does not match the last line'
}
