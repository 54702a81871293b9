import { isUtf8 } from 'node:buffer'
import type { Reason } from '../types.ts'

/** Key for a line that is not a JSON object, in a result file. */
export const rawRecordKey = '_record'

type JsonObject = Record<string, unknown>

/** A parsed line, and what JSON.parse loses: the spelling of numbers, and repeated keys. */
export class JsonLine {
  readonly object: JsonObject
  readonly text: string
  #members: Member[] | undefined
  #numbers: ReadonlyMap<string, string | undefined> | undefined

  constructor(object: JsonObject, text: string) {
    this.object = object
    this.text = text
  }

  repeatedNames(): string[] {
    const known = Object.keys(this.object).length
    let colons = 0
    for (let at = this.text.indexOf(':'); at >= 0 && colons <= known; at = this.text.indexOf(':', at + 1))
      colons++
    // With at most one colon per key, no key is repeated.
    if (colons <= known) return []
    const seen = new Set<string>()
    return this.#allMembers().flatMap(({ name }) => (seen.size === seen.add(name).size ? [name] : []))
  }

  /** Text of a cell. Numbers keep their spelling, so that 1.0 and 1e3 differ from 1 and 1000. */
  cellText(name: string, value: unknown): string | undefined {
    if (value === null) return ''
    // A lone surrogate has no UTF-8 form. A NUL makes the ID invalid.
    if (typeof value === 'string') return value.replace(/\p{Surrogate}/gu, '\0')
    if (typeof value !== 'number') return undefined
    this.#numbers ??= this.#spelledNumbers()
    return this.#numbers.get(name) ?? String(value)
  }

  /** Empty if every number has its usual spelling. */
  #spelledNumbers(): ReadonlyMap<string, string | undefined> {
    if (!/\d[.eE]|\d{16}/.test(this.text)) return new Map()
    return new Map(this.#allMembers().map(({ name, number }) => [name, number]))
  }

  #allMembers(): Member[] {
    this.#members ??= membersOf(this.text)
    return this.#members
  }
}

/** In a result file, a raw record is read instead of its line. */
export function parseLine(line: Buffer): JsonLine | { reason: Reason } {
  if (!isUtf8(line)) return { reason: { code: 'json_encoding', message: 'the line is not UTF-8' } }
  const text = line.toString()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { reason: { code: 'json_invalid', message: 'the line is not valid JSON' } }
  }
  if (!isObject(value)) return { reason: { code: 'json_invalid', message: 'the line is not a JSON object' } }
  const raw = value[rawRecordKey]
  return typeof raw === 'string' ? parseLine(Buffer.from(raw)) : new JsonLine(value, text)
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A complete string, the number after a key, or a bracket. */
const jsonToken = /("(?:[^"\\]|\\.)*")(?:\s*(:)\s*(-?\d[\d.eE+-]*)?)?|[{}[\]]/g

interface Member {
  name: string
  number: string | undefined
}

/** Only members of the object itself, not of objects inside it. */
function membersOf(text: string): Member[] {
  const members: Member[] = []
  let depth = 0
  for (const [token, string = '', colon, number] of text.matchAll(jsonToken)) {
    if (colon && depth === 1) members.push({ name: JSON.parse(string), number })
    else if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
  }
  return members
}
