import { randomUUID } from 'node:crypto'
import { orUndefined } from './functions.ts'

export type Unchanged<T> = T extends object ? { readonly [Key in keyof T]: Unchanged<T[Key]> } : T

const mayLosePrecision = /\d{16}|\d[eE]\+?\d{3}/
const stringsAndNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

const maximumDepth = 200

function isTooDeep(text: string): boolean {
  // Fast path: a text with few brackets cannot be nested deeply. Counting brackets is much faster than matching strings.
  if (countOf('[', text) + countOf('{', text) <= maximumDepth) return false
  let depth = 0
  for (const [bracket] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]/g)) {
    if (bracket === '[' || bracket === '{') depth++
    else if (bracket === ']' || bracket === '}') depth--
    if (depth > maximumDepth) return true
  }
  return false
}

function countOf(character: string, text: string): number {
  let count = 0
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count++
  return count
}

/**
 * Parses JSON and keeps every digit. An integer of 2^53 or more becomes a bigint. A number that is too large for a double becomes a
 * string. Throws SyntaxError for invalid JSON, and for values that are nested too deeply for recursive functions.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (text.length > 2 * maximumDepth && isTooDeep(text))
    throw new SyntaxError(`nested more than ${maximumDepth} levels deep`)
  if (!mayLosePrecision.test(text)) return value
  const marker = `${randomUUID()}:`
  const marked = text.replace(stringsAndNumbers, (token) =>
    token.startsWith('"') || isExact(token) ? token : `"${marker}${token}"`,
  )
  return JSON.parse(marked, (_, item: unknown) =>
    typeof item === 'string' && item.startsWith(marker) ? readLarge(item.slice(marker.length)) : item,
  )
}

/** The JSON value of a response body. The body can start with a byte order mark. Undefined if the body is not JSON. */
export function readJsonBody({ buffer, byteOffset, length }: Uint8Array): unknown {
  // `trim` also removes a byte order mark.
  return orUndefined((): unknown => JSON.parse(Buffer.from(buffer, byteOffset, length).toString().trim()))
}

function isExact(token: string): boolean {
  const value = Number(token)
  return Number.isFinite(value) && (Number.isSafeInteger(value) || !/^-?\d+$/.test(token))
}

function readLarge(token: string): bigint | string {
  return /^-?\d+$/.test(token) ? BigInt(token) : token
}

/** JSON text of a value. Writes a bigint as an integer and undefined as null. */
export function toJsonText(value: unknown, indent: 0 | 2 = 0): string {
  try {
    return JSON.stringify(value ?? null, undefined, indent)
  } catch {
    // JSON.stringify rejects a bigint.
    return toJsonWithIntegers(value, indent)
  }
}

function toJsonWithIntegers(value: unknown, indent: 0 | 2): string {
  const marker = `${randomUUID()}:`
  const text = JSON.stringify(
    value,
    (_, item: unknown) => (typeof item === 'bigint' ? `${marker}${item}` : item),
    indent,
  )
  return text.replace(new RegExp(`"${marker}(-?\\d+)"`, 'g'), '$1')
}

export type Fields = Readonly<Record<string, unknown>>

/** The fields of an object. Any other value, including a list, has no fields. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** A copy of a JSON value. `mapLeaf` replaces a text, number, boolean, null, or date. `mapMember` returns a member's new name and value. */
export function mapJson(
  value: unknown,
  mapLeaf: (leaf: unknown) => unknown,
  mapMember: (name: string, inner: unknown) => [string, unknown],
): unknown {
  if (Array.isArray(value)) return value.map((item) => mapJson(item, mapLeaf, mapMember))
  if (typeof value !== 'object' || value === null || value instanceof Date) return mapLeaf(value)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => mapMember(name, inner)))
}
