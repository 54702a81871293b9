import { lstatSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigurationError } from '../base/errors.ts'
import { assertOwnerOnly, readOwnerFile } from '../base/system/owner-file.ts'
import { type ChainEnd, isUnaltered, origin, parseLine } from './history-line.ts'

/** The file history.head: the last line, and whether it was appended to the log. */
export interface Head extends ChainEnd {
  line: string
  isAppended: boolean
}

/** Marks a head whose line is in the log. It is appended, so it cannot damage the line before it. */
export const appendedMark = 'appended\n'

export const headPath = (directory: string): string => join(directory, 'history.head')
export const logPath = (directory: string): string => join(directory, 'history.ndjson')

/** Longer than any line: every field is bounded. */
const tailBytes = 64 * 1024

/** The end of the chain, and the text to write before the next line. */
interface LogEnd {
  end: ChainEnd
  repair: string
  /** Alterations of the log, to be recorded in it. */
  damage: string[]
}

/** The files of the log, oldest first. The last one may not exist. */
export async function listHistoryFiles(directory: string): Promise<string[]> {
  const names: string[] = await readdir(directory).catch(() => [])
  const rotated = names.filter((name) => /^history-\d{9}\.ndjson$/.test(name)).toSorted()
  return [...rotated.map((name) => join(directory, name)), logPath(directory)]
}

/** Throws if other users can read or replace a file of the log, or if it is a symbolic link, a pipe, or a directory. */
export async function assertOwnLog(directory: string): Promise<void> {
  for (const path of [...(await listHistoryFiles(directory)), headPath(directory)]) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) {
      throw new ConfigurationError(
        `cannot write the audit log: ${path} is not a regular file; changes are not possible without an audit log`,
        { hint: 'Find out who created this file, then move it to another directory.' },
      )
    }
    await assertOwnerOnly(path)
  }
}

/** Undefined if there is no head; `damaged` if its line is not exactly what the program wrote. */
export async function readHead(directory: string): Promise<Head | 'damaged' | undefined> {
  const text = await readOwnerFile(headPath(directory))
  if (text === undefined) return undefined
  const [line = '', ...rest] = text.split('\n')
  const parsed = parseLine(line)
  if (!parsed || !isUnaltered(parsed, line)) return 'damaged'
  return { sequence: parsed.sequence, hash: parsed.hash, line, isAppended: rest.join('\n') === appendedMark }
}

/** Finds the end of the chain. The head takes precedence over the log, because lines at the end of the log may have been removed. */
export async function findEnd(directory: string): Promise<LogEnd> {
  const head = await readHead(directory)
  const tail = await readTail(directory)
  if (head === undefined && tail === '') return { end: origin, repair: '', damage: [] }
  const lineBreak = tail === '' || tail.endsWith('\n') ? '' : '\n'
  if (head === undefined || head === 'damaged') {
    const damage = [`history.head was ${head ?? 'missing'}`]
    return { end: findLast(directory, tail), repair: lineBreak, damage }
  }
  if (tail.includes(`${head.line}\n`)) return { end: head, repair: lineBreak, damage: [] }
  const torn = tail.slice(tail.lastIndexOf('\n') + 1)
  const repair = head.line.startsWith(torn)
    ? `${head.line.slice(torn.length)}\n`
    : `${lineBreak}${head.line}\n`
  // A process that dies between the two writes leaves the line in the head only.
  const damage = head.isAppended ? ['the end of the log was missing; its last line was restored'] : []
  return { end: head, repair, damage }
}

function findLast(directory: string, tail: string): ChainEnd {
  const text = tail.split('\n').findLast((line) => line !== '')
  if (text === undefined) return origin
  const last = parseLine(text)
  if (last) return last
  throw new ConfigurationError(`the end of the audit log in ${directory} is damaged; nothing was sent`, {
    hint: `Move the history files out of ${directory}, and keep them for investigation.`,
  })
}

/** The end of the newest file that is not empty. */
async function readTail(directory: string): Promise<string> {
  for (const path of (await listHistoryFiles(directory)).toReversed()) {
    const file = await open(path).catch(() => undefined)
    if (!file) continue
    try {
      const { size } = await file.stat()
      const length = Math.min(size, tailBytes)
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length)
      if (length > 0) return buffer.toString('utf8')
    } finally {
      await file.close()
    }
  }
  return ''
}
