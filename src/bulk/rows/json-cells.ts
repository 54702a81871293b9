import { UsageError } from '../../base/errors.ts'
import { Cells } from '../scan/cells.ts'
import type { Reason } from '../types.ts'
import { cellText, parseLine } from './json-line.ts'
import { answerColumns, isOther, renamed } from './layout.ts'

const fixed = answerColumns.length

/** Columns of the long form only. */
const longOnly = new Set([answerColumns.indexOf('lookup_key'), answerColumns.indexOf('value')])

/** Every line is searched for the keys of all earlier lines, so their number is limited. */
const maxKeys = 2000

const wrongType = { code: 'json_type', message: 'value must be a string or a number' }
const repeatedKey = { code: 'json_twice', message: 'duplicate key in the line' }
const wrongForm = {
  code: 'json_form',
  message:
    'earlier lines are in wide form (one key per answer); put lines with lookup_key and value in a separate file',
}
const twice = { code: 'json_twice', message: 'two keys are mapped to the same field (--map)' }

/** Turns a line of JSON into cells: first the answer columns, then (wide form) one cell per key in `keyNames`. */
export class JsonCells {
  readonly cells: Cells = new Cells()
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

  /** Fills `cells`. Returns a reason if the line cannot be read. */
  read(line: Buffer): Reason | undefined {
    const parsed = parseLine(line)
    if ('reason' in parsed) return parsed.reason
    this.texts.fill(undefined)
    const seen = new Set<string>()
    for (const member of parsed.members) {
      const { name } = member
      const column = this.columnOfName(name)
      if (column === undefined) continue
      if (seen.has(name)) return { column: name, ...repeatedKey }
      seen.add(name)
      const text = cellText(member)
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
    const key = renamed(name, this.map)
    const column = this.columnOf.get(key)
    if (column !== undefined || !this.isWide || !isOther(key)) return column
    if (this.keyNames.length === maxKeys) {
      throw new UsageError(`the file has more than ${maxKeys} different keys`, {
        hint: 'In wide form (one user per line), each key is a lookup key. Check that no other value, such as a user ID, is used as a key.',
      })
    }
    this.columnOf.set(key, fixed + this.keyNames.length)
    return fixed + this.keyNames.push(key) - 1
  }

  private fill(): void {
    const { cells, texts } = this
    const count = fixed + this.keyNames.length
    const size = texts.reduce((sum, text) => sum + (text?.length ?? 0) * 3, 0)
    if (cells.bytes.length < size) cells.resize(size * 2)
    let filled = 0
    for (let index = 0; index < count; index++) {
      cells.starts[index] = filled
      filled += cells.bytes.write(texts[index] ?? '', filled)
      cells.ends[index] = filled
    }
    cells.count = count
  }
}
