import { basename, join } from 'node:path'
import { readOwnerFile } from '../base/system/owner-file.ts'
import type { Paths } from '../base/system/paths.ts'
import { type Head, type HistoryLine, hashLine, listHistoryFiles, origin } from './history.ts'

interface HistoryProblem {
  file: string
  /** From 1; 0 where a whole file is meant. */
  line: number
  problem: string
}

export interface HistoryCheck {
  ok: boolean
  lines: number
  files: number
  /** Sequence numbers of the first and the last line; the first is above 1 where old files were removed. */
  first: number | null
  last: number | null
  problems: HistoryProblem[]
}

/** Every line of the log, oldest first; undefined as `entry` where the line cannot be read. */
export async function* readHistory(
  paths: Paths,
): AsyncGenerator<{ file: string; line: number; entry: HistoryLine | undefined }> {
  if (!paths.state) return
  for (const path of await listHistoryFiles(paths.state)) {
    const lines = ((await readOwnerFile(path)) ?? '').split('\n')
    for (const [index, text] of lines.entries()) {
      const isEnd = index === lines.length - 1 && text === ''
      if (!isEnd) yield { file: basename(path), line: index + 1, entry: parseLine(text) }
    }
  }
}

/** Recomputes the chain of hashes and names each place where a line was altered, removed or put in. */
export async function verifyHistory(paths: Paths): Promise<HistoryCheck> {
  const problems: HistoryProblem[] = []
  const head = await readHead(paths)
  const files = new Set<string>()
  let previous: Head | undefined
  let first: number | null = null
  let lines = 0
  for await (const { file, line, entry } of readHistory(paths)) {
    lines += 1
    files.add(file)
    const problem = entry ? findProblem(entry, previous, head) : 'is not a line of the log'
    if (problem) problems.push({ file, line, problem })
    if (!entry) continue
    first ??= entry.sequence
    previous = { sequence: entry.sequence, hash: entry.hash }
  }
  const last = previous?.sequence ?? 0
  if (head && head.sequence > last) {
    problems.push({
      file: 'history.ndjson',
      line: 0,
      problem: `lacks ${head.sequence - last} lines at its end`,
    })
  }
  return {
    ok: problems.length === 0,
    lines,
    files: files.size,
    first,
    last: previous?.sequence ?? null,
    problems,
  }
}

function findProblem(
  entry: HistoryLine,
  previous: Head | undefined,
  head: Head | undefined,
): string | undefined {
  if (hashLine(entry) !== entry.hash) return 'was altered'
  const before = previous ?? (entry.sequence === 1 ? origin : undefined)
  if (before && entry.sequence !== before.sequence + 1)
    return `follows ${before.sequence}, but is ${entry.sequence}`
  if (before && entry.previous !== before.hash) return 'does not continue the line before it'
  if (head?.sequence === entry.sequence && head.hash !== entry.hash) return 'is not the line that was written'
  return undefined
}

async function readHead(paths: Paths): Promise<Head | undefined> {
  const text = paths.state && (await readOwnerFile(join(paths.state, 'history.head')))
  try {
    const { sequence, hash } = JSON.parse(text ?? '')
    return { sequence: Number(sequence), hash: String(hash) }
  } catch {
    return undefined
  }
}

function parseLine(text: string): HistoryLine | undefined {
  try {
    const value = JSON.parse(text)
    return Number.isSafeInteger(value.sequence) && typeof value.hash === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
