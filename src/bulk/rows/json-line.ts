import { isUtf8 } from 'node:buffer'
import { orUndefined } from '../../base/functions.ts'
import type { Reason } from '../types.ts'

/** Key under which a result file stores a line that is not a JSON object. */
export const rawRecordKey = '_record'

interface Member {
  name: string
  /** The value as it is written in the file. Undefined for an object or a list. */
  raw: string | undefined
}

/** A parsed line. `members` keeps repeated keys and the spelling of numbers, which JSON.parse would lose. */
interface JsonLine {
  text: string
  object: Readonly<Record<string, unknown>>
  members: readonly Member[]
}

/** Parses a line. In a result file, the stored original record is parsed instead. */
export function parseLine(line: Buffer): JsonLine | { reason: Reason } {
  if (!isUtf8(line)) return { reason: { code: 'json_encoding', message: 'the line is not UTF-8' } }
  const text = line.toString()
  const object = parse(text)
  if (object === undefined) return { reason: { code: 'json_invalid', message: 'the line is not valid JSON' } }
  if (!isObject(object)) {
    return { reason: { code: 'json_invalid', message: 'the line is not a JSON object' } }
  }
  const raw = object[rawRecordKey]
  return typeof raw === 'string' ? parseLine(Buffer.from(raw)) : { text, object, members: membersOf(text) }
}

/** The text of a cell. Numbers are copied as they are written, because the check of a value depends on the spelling (1e3 is invalid). */
export function cellText({ raw = '{' }: Member): string | undefined {
  if (raw === 'null') return ''
  // Invalid Unicode cannot be written as UTF-8. It is replaced with NUL, so that an ID with it is refused.
  if (raw.startsWith('"')) return (JSON.parse(raw) as string).replace(/\p{Surrogate}/gu, '\0')
  return /^[-\d]/.test(raw) ? raw : undefined
}

/** The original record, if a result file stores it as a string. */
export function unwrapRecord(text: string): string {
  const value = parse(text)
  const raw = isObject(value) ? value[rawRecordKey] : undefined
  return typeof raw === 'string' ? unwrapRecord(raw) : text
}

function parse(text: string): unknown {
  return orUndefined(() => JSON.parse(text))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Matches a bracket or a string, and a colon after the string with the following string, number, or word. */
const jsonToken = /("(?:[^"\\]|\\.)*")(?:\s*(:)\s*("(?:[^"\\]|\\.)*"|[\w.+-]+)?)?|[{}[\]]/g

/** Finds the members of the outermost object. Members of nested objects are skipped. */
function membersOf(text: string): Member[] {
  const members: Member[] = []
  let depth = 0
  for (const [token, string = '', colon, raw] of text.matchAll(jsonToken)) {
    if (colon && depth === 1) members.push({ name: JSON.parse(string), raw })
    else if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
  }
  return members
}
