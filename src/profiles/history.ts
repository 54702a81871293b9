import { hash } from 'node:crypto'
import { open, readdir, rename, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigurationError } from '../base/errors.ts'
import { findModeProblem, withLock, writeOwnerFile } from '../base/system/owner-file.ts'
import { type Paths, requireDirectory } from '../base/system/paths.ts'

/** One change that was sent. Holds no personal data and no secret: the path is the template, the key its fingerprint. */
export interface HistoryEntry {
  /** RFC 3339. */
  time: string
  /** Null for a key without a profile. */
  profile: string | null
  fingerprint: string | null
  /** Noun and verb, such as `users delete`. */
  command: string
  method: string
  path: string
  /** Null where no answer came, so that nobody knows whether the change was made. */
  status: number | null
  request_id: string | null
  /** Why a read-only profile was open. */
  reason: string | null
}

/** A line of the log: each carries the hash of the one before it. */
export interface HistoryLine extends HistoryEntry {
  sequence: number
  previous: string
  hash: string
}

/** The end of the chain. */
export interface Head {
  sequence: number
  hash: string
}

export const origin: Head = { sequence: 0, hash: '0'.repeat(64) }
const rotateAtBytes = 1024 * 1024
/** The lines of an import come by the thousand: whole, they would keep it from its requests, and memory from being given back. */
const pieceLength = 32 * 1024

/** Hash of a line over everything in it but the hash itself. */
export function hashLine({ hash: _, ...line }: Omit<HistoryLine, 'hash'> & { hash?: string }): string {
  return hash('sha256', JSON.stringify(line))
}

/** The text of a line, with its hash as the last member, and the end of the chain that it makes. */
function seal(entry: HistoryEntry, after: Head): { text: string; head: Head } {
  const sequence = after.sequence + 1
  const open = `{"sequence":${sequence},${JSON.stringify(entry).slice(1, -1)},"previous":"${after.hash}"`
  const head = { sequence, hash: hash('sha256', `${open}}`) }
  return { text: `${open},"hash":"${head.hash}"}\n`, head }
}

/** Adds entries at the end of the log, one process after the other. With no entries it only proves that it could. */
export async function appendHistory(paths: Paths, entries: readonly HistoryEntry[]): Promise<void> {
  const directory = requireDirectory(paths, 'state')
  await withLock(directory, 'history', async () => {
    const current = join(directory, 'history.ndjson')
    await refuseOpenMode(current)
    let head = await findHead(directory, current)
    if (entries.length === 0) return
    function* pieces(): Generator<string> {
      let text = ''
      for (const entry of entries) {
        const sealed = seal(entry, head)
        head = sealed.head
        text += sealed.text
        if (text.length < pieceLength) continue
        yield text
        text = ''
      }
      yield text
    }
    await writeFile(current, pieces(), { flag: 'a', mode: 0o600, flush: true })
    await rotate(directory, current, head.sequence)
    await writeOwnerFile(join(directory, 'history.head'), `${JSON.stringify(head)}\n`)
  })
}

/** The files of the log, oldest first; the last one may not be there. */
export async function listHistoryFiles(directory: string): Promise<string[]> {
  const names: string[] = await readdir(directory).catch(() => [])
  const rotated = names.filter((name) => /^history-\d{9}\.ndjson$/.test(name)).toSorted()
  return [...rotated, 'history.ndjson'].map((name) => join(directory, name))
}

/** The last line that was written, also by a process that was killed before it noted the head. */
async function findHead(directory: string, current: string): Promise<Head> {
  await dropTornLine(current)
  for (const path of (await listHistoryFiles(directory)).toReversed()) {
    const last = await readLastLine(path)
    if (last !== undefined) return parseHead(last, path)
  }
  return origin
}

/** A line without an end was being written when its process died; its change was never confirmed as logged. */
async function dropTornLine(path: string): Promise<void> {
  const { bytes, size } = await readTail(path)
  const torn = bytes.length - (bytes.lastIndexOf('\n') + 1)
  if (torn > 0) await truncate(path, size - torn)
}

async function readLastLine(path: string): Promise<string | undefined> {
  const { bytes } = await readTail(path)
  return bytes.toString('utf8').trimEnd().split('\n').at(-1) || undefined
}

/** The end of a file, with more than the longest line in it; nothing where there is no file. */
async function readTail(path: string): Promise<{ bytes: Buffer; size: number }> {
  const file = await open(path).catch(() => undefined)
  if (!file) return { bytes: Buffer.alloc(0), size: 0 }
  try {
    const { size } = await file.stat()
    const length = Math.min(size, 16 * 1024)
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length)
    return { bytes: buffer, size }
  } finally {
    await file.close()
  }
}

function parseHead(line: string, path: string): Head {
  try {
    const { sequence, hash } = JSON.parse(line)
    if (Number.isSafeInteger(sequence) && typeof hash === 'string') return { sequence, hash }
  } catch {
    // Falls through to the same report.
  }
  throw new ConfigurationError(`the audit log ${path} is damaged at its end; no change is sent without it`, {
    hint: 'Look at it with: facescan history verify. Then move it away.',
  })
}

async function rotate(directory: string, current: string, sequence: number): Promise<void> {
  if ((await stat(current)).size < rotateAtBytes) return
  await rename(current, join(directory, `history-${String(sequence).padStart(9, '0')}.ndjson`))
}

async function refuseOpenMode(path: string): Promise<void> {
  const problem = await findModeProblem(path)
  if (problem) throw new ConfigurationError(problem.message, { hint: `Run: ${problem.fix}` })
}

export interface History {
  /** Throws unless the log can be written; awaited before the first change is sent. */
  prepare(): Promise<void>
  /** Resolves when the entry is on disk. */
  record(entry: HistoryEntry): Promise<void>
}

/**
 * The log of one command. Entries that arrive while others are being written go to disk together; a first one waits for
 * more until `gather` resolves, where that is given.
 */
export function openHistory(paths: Paths, gather?: () => Promise<void>): History {
  let waiting: HistoryEntry[] = []
  let current: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  let prepared: Promise<void> | undefined

  const write = async () => {
    await gather?.()
    const entries = waiting
    waiting = []
    next = undefined
    await appendHistory(paths, entries)
  }
  return {
    prepare() {
      prepared ??= appendHistory(paths, [])
      return prepared
    },
    record(entry) {
      waiting.push(entry)
      next ??= current = current.then(write, write)
      return next
    },
  }
}
