import { UsageError } from '../../base/errors.ts'
import { Cells } from '../scan/cells.ts'
import type { Reason } from '../types.ts'
import { readAsOf } from './column-names.ts'
import { cellText, parseLine } from './json-line.ts'
import { isOther, type Layout, type TableRules } from './layout.ts'

/** Columns that exist only in the long form, which has one answer per row. */
const longOnly: readonly (string | undefined)[] = ['lookup_key', 'value']

/** Maximum number of keys in a file, because each line is searched for each key. */
const maxKeys = 2000

const wrongType = { code: 'json_type', message: 'value must be a string or a number' }
const repeatedKey = { code: 'json_twice', message: 'duplicate key in the line' }
const wrongForm = {
  code: 'json_form',
  message:
    'earlier lines are in wide form (one key per answer); put lines with lookup_key and value in a separate file',
}
const twice = { code: 'json_twice', message: 'two keys are mapped to the same field (--map)' }

type JsonLayout = Pick<Layout, 'form' | 'names'>

/** Converts a line of JSON to cells: the columns of the layout and, in wide form (one row per user), one cell for each key in `keyNames`. */
export class JsonCells {
  readonly cells: Cells = new Cells()
  /** Lookup keys of the wide form (one column per lookup key), in order of appearance. */
  readonly keyNames: string[] = []
  private readonly layout: JsonLayout
  private readonly rules: TableRules
  /** Whether each line is a user instead of an answer. Other keys can then have any name. */
  private readonly isList: boolean
  private readonly columnOf: Map<string, number>
  private texts: (string | undefined)[] = []

  constructor(layout: JsonLayout, rules: TableRules) {
    this.layout = layout
    this.rules = rules
    this.isList = rules.kind !== 'answers'
    this.columnOf = new Map(layout.names.map((name, index) => [name, index]))
  }

  /** Fills `cells`. Returns a reason if the line is invalid. */
  read(line: Buffer): Reason | undefined {
    const parsed = parseLine(line)
    if ('reason' in parsed) return parsed.reason
    const { form, names } = this.layout
    this.texts.fill(undefined)
    const seen = new Set<string>()
    for (const member of parsed.members) {
      const { name } = member
      const column = this.columnOfName(name)
      if (column === undefined) continue
      if (seen.has(name)) return { column: name, ...repeatedKey }
      seen.add(name)
      // In a list of users, a value of a key that is not a known field can have any type. A list or an object is kept as JSON text.
      const isFree = this.isList && column >= names.length
      const text = cellText(member) ?? (isFree ? JSON.stringify(parsed.object[name]) : undefined)
      if (text === undefined) return { column: name, ...wrongType }
      if (text === '') continue
      if (this.texts[column] !== undefined) return { column: name, ...twice }
      if (form === 'wide' && longOnly.includes(names[column])) return { column: name, ...wrongForm }
      this.texts[column] = text
    }
    this.fill()
    return undefined
  }

  private columnOfName(name: string): number | undefined {
    const { form, names } = this.layout
    const key = readAsOf(name, this.rules)
    const column = this.columnOf.get(key)
    if (column !== undefined || form === 'long' || !isOther(key, this.isList)) return column
    if (this.keyNames.length === maxKeys) {
      throw new UsageError(`the file has more than ${maxKeys} different keys`, {
        hint: 'In wide form (one user per line), each key is a lookup key. Check that no other value, such as a user ID, is used as a key.',
      })
    }
    this.columnOf.set(key, names.length + this.keyNames.length)
    return names.length + this.keyNames.push(key) - 1
  }

  private fill(): void {
    const { cells, texts } = this
    const count = this.layout.names.length + this.keyNames.length
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
