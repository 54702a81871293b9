import { isUtf8 } from 'node:buffer'
import { UsageError } from '../../errors.ts'
import { Cells } from '../scan/cells.ts'
import type { Reason } from '../types.ts'
import { answerColumns, isOther } from './layout.ts'

/** Key under which a result file keeps a line that is no JSON object. */
export const rawRecordKey = '_record'

type JsonObject = Record<string, unknown>

const fixed = answerColumns.length

/** The columns of the long form alone. */
const longOnly = new Set([answerColumns.indexOf('lookup_key'), answerColumns.indexOf('value')])

/** Each line is looked through for every key that any line has. */
const maxKeys = 2000

const wrongType = { code: 'json_type', message: 'the value is neither a string nor a number' }
const repeatedKey = { code: 'json_twice', message: 'the line has the key twice' }
const wrongForm = {
  code: 'json_form',
  message:
    'lines before have a key for each answer; a lookup_key and a value belong into a file of their own',
}
const twice = { code: 'json_twice', message: 'two keys are read as one' }

/** Turns a line of JSON into cells: the answer columns in their order, then, in wide form, one cell a key as in `keyNames`. */
export class JsonCells {
  readonly cells: Cells = new Cells(4096)
  /** Wide form: the lookup keys seen so far, in order of appearance. */
  readonly keyNames: string[] = []
  private readonly isWide: boolean
  private readonly map: Readonly<Record<string, string>>
  private readonly columnOf = new Map<string, number>(answerColumns.map((name, index) => [name, index]))
  private texts: (string | undefined)[] = []

  constructor(isWide: boolean, map: Readonly<Record<string, string>> = {}) {
    this.isWide = isWide
    this.map = map
  }

  /** Fills `cells`; says why where the line cannot be read. */
  read(line: Buffer): Reason | undefined {
    const parsed = parseObject(line)
    if ('reason' in parsed) return parsed.reason
    const repeated = repeatedNames(parsed).find((name) => this.columnOfName(name) !== undefined)
    if (repeated !== undefined) return { column: repeated, ...repeatedKey }
    this.texts.fill(undefined)
    for (const [name, value] of Object.entries(parsed.object)) {
      const column = this.columnOfName(name)
      if (column === undefined) continue
      const text = cellText(value, name, parsed.text)
      if (text === undefined) return { column: name, ...wrongType }
      if (text === '') continue
      if (this.texts[column] !== undefined) return { column: name, ...twice }
      if (this.isWide && longOnly.has(column)) return { column: name, ...wrongForm }
      this.texts[column] = text
    }
    this.fill()
    return undefined
  }

  private columnOfName(name: string): number | undefined {
    return this.columnFor(Object.hasOwn(this.map, name) ? (this.map[name] ?? '') : name)
  }

  private columnFor(name: string): number | undefined {
    const column = this.columnOf.get(name)
    if (column !== undefined || !this.isWide) return column
    if (!isOther(name)) return undefined
    if (this.keyNames.length === maxKeys) {
      throw new UsageError(`the lines have more than ${maxKeys} different keys`, {
        hint: 'In wide form each key is a lookup key. Is something else a key there, such as the user id?',
      })
    }
    this.columnOf.set(name, fixed + this.keyNames.length)
    return fixed + this.keyNames.push(name) - 1
  }

  private fill(): void {
    const { cells, texts } = this
    const count = fixed + this.keyNames.length
    const size = texts.reduce((sum, text) => sum + (text?.length ?? 0) * 3, 0)
    cells.prepare(size, count)
    let filled = 0
    for (let index = 0; index < count; index++) {
      cells.starts[index] = filled
      filled += cells.bytes.write(texts[index] ?? '', filled)
      cells.ends[index] = filled
    }
    cells.count = count
  }
}

/** Parses one line; a line of a result file that keeps a raw record is read as that record. */
export function parseObject(line: Buffer): { object: JsonObject; text: string } | { reason: Reason } {
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
  return typeof raw === 'string' ? parseObject(Buffer.from(raw)) : { object: value, text }
}

/** Names that stand twice in the object itself, of which the platform keeps the last only. A colon for each key is proof that there are none. */
function repeatedNames({ object, text }: { object: JsonObject; text: string }): string[] {
  const known = Object.keys(object).length
  let colons = 0
  for (let at = text.indexOf(':'); at >= 0 && colons <= known; at = text.indexOf(':', at + 1)) colons++
  if (colons <= known) return []
  const names = membersOf(text).map(({ name }) => name)
  return names.filter((name, index) => names.indexOf(name) < index)
}

/** A string matched whole, so that nothing inside it is taken for a name; the number behind a name; what opens and closes. */
const jsonToken = /("(?:[^"\\]|\\.)*")(?:\s*(:)\s*(-?\d[\d.eE+-]*)?)?|[{}[\]]/g

/** The members of the object itself, not those further inside; numbers as they are spelled. */
function membersOf(text: string): { name: string; number: string | undefined }[] {
  const members: { name: string; number: string | undefined }[] = []
  let depth = 0
  for (const [token, string = '', colon, number] of text.matchAll(jsonToken)) {
    if (colon && depth === 1) members.push({ name: JSON.parse(string), number })
    else if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
  }
  return members
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The text of a cell: numbers as they stand in the line, so that 1.0 and 1e3 are told from 1 and 1000. */
export function cellText(value: unknown, name: string, line: string): string | undefined {
  if (value === null) return ''
  // A lone surrogate has no UTF-8 form; a NUL keeps it from being mistaken for another id.
  if (typeof value === 'string') return value.replace(/\p{Surrogate}/gu, '\0')
  if (typeof value !== 'number') return undefined
  const plain = String(value)
  if (Number.isSafeInteger(value) && !/\d[.eE]/.test(line)) return plain
  return membersOf(line).find((member) => member.name === name)?.number ?? plain
}
