import { UsageError } from '../../base/errors.ts'
import { orUndefined } from '../../base/functions.ts'
import type { InputFile } from '../input-file.ts'
import { Cells } from '../scan/cells.ts'
import type { Reason } from '../types.ts'
import { hasMeaning, readAsOf } from './column-names.ts'
import { Decision } from './header.ts'
import { cellText, parseLine, rawRecordKey, unwrapRecord } from './json-line.ts'
import type { SampleRecord } from './sample.ts'
import {
  answerColumns,
  isOther,
  isResultColumn,
  type Layout,
  layoutWith,
  type ResultCells,
  resultColumns,
  rolesOf,
  type Table,
  type TableRules,
} from './table.ts'

/** The table of a file with JSON lines. Unknown keys in the first lines are treated like unknown column names. */
export function jsonTable(input: InputFile, rules: TableRules, lines: readonly SampleRecord[]): Table {
  const { kind } = rules
  const objects = lines.flatMap(({ cells: [line = ''] }) => {
    const parsed = parseLine(Buffer.from(line))
    return 'members' in parsed ? [new Map(parsed.members.map((one) => [one.name, cellText(one) ?? '']))] : []
  })
  const written = [...new Set(objects.flatMap((object) => [...object.keys()]))]
  const names = written.filter((name) => !isResultColumn(name))
  refuseManyKeys(names.length)
  const cells = objects.map((object) => names.map((name) => object.get(name) ?? ''))
  const decision = new Decision(names, rules, cells)
  const { map, questions, hasUser } = decision
  const read = { ...rules, map }
  const form = kind === 'answers' ? formOf(objects, read) : 'wide'
  const layout = jsonLayout(names, read, form)
  // A file with result columns is a result file of an earlier run. The user has already decided which of its keys are read, so there are no
  // questions about these keys.
  if (names.length < written.length) layout.unread = []
  return {
    input,
    rules,
    format: 'jsonl',
    json: {
      fields: new Set(names.map((name) => readAsOf(name, read))),
      openCells: () => new JsonCells(layout, read),
      resultLine: (record, reason, onlyKeys) => jsonResultLine(record, reason, read, onlyKeys),
    },
    delimiter: undefined,
    dialect: { quotes: false },
    layout,
    questions: hasUser || names.length === 0 ? questions : [decision.userQuestion()],
    data: { offset: input.start, line: 1 },
  }
}

/** A layout that has a column for each field, and for each other key in the first lines of the file. */
function jsonLayout(names: readonly string[], rules: TableRules, form: Layout['form']): Layout {
  const { kind, known = [] } = rules
  const roles = rolesOf(kind)
  const others = new Map<string, string>()
  for (const name of names) {
    const key = readAsOf(name, rules)
    if (isOther(key, kind) && !others.has(key)) others.set(key, name)
  }
  // If the lookup keys are not available, any key of the wide form may be a lookup key.
  const isOpen = kind === 'answers' && known.length === 0 && form === 'wide'
  const isKnown = (key: string) => isOpen || hasMeaning(key, rules)
  return layoutWith([...roles, ...others.values()], [...roles, ...others.keys()], kind, isKnown, form)
}

/** The form (long or wide) of the first object that contains other data in addition to the user ID. */
function formOf(objects: readonly ReadonlyMap<string, string>[], rules: TableRules): Layout['form'] {
  for (const object of objects) {
    const keys = [...object.keys()].map((name) => readAsOf(name, rules))
    if (keys.includes('lookup_key') || keys.includes('value')) return 'long'
    if (keys.some((key) => isOther(key, rules.kind))) return 'wide'
  }
  return 'long'
}

/** Columns that exist only in the long form, which has one answer per row. */
const longOnly: readonly (string | undefined)[] = ['lookup_key', 'value']

/** Maximum number of keys in a file, because each line is searched for each key. */
const maxKeys = 2000

function refuseManyKeys(count: number): void {
  if (count <= maxKeys) return
  throw new UsageError(`the file has more than ${maxKeys} different keys`, {
    hint: 'In wide form (one user per line), every field name is a lookup key. Check that no field name is a user ID or another value.',
  })
}

const wrongType = { code: 'json_type', message: 'value must be a string or a number' }
const repeatedKey = { code: 'json_twice', message: 'duplicate key in the line' }
const wrongForm = {
  code: 'json_form',
  message:
    'earlier lines are in wide form (one key per answer); put lines with lookup_key and value in a separate file',
}
const twice = { code: 'json_twice', message: 'two keys are mapped to the same field (--map)' }

type JsonLayout = Pick<Layout, 'form' | 'names' | 'unread'>

/** Converts a line of JSON to cells for the columns of the layout, and for `keyNames`. */
export class JsonCells {
  readonly cells: Cells = new Cells()
  readonly keyNames: string[] = []
  private readonly layout: JsonLayout
  private readonly rules: TableRules
  /** Whether each line contains a user instead of an answer. If so, all keys except the IDs can have any name. */
  private readonly isList: boolean
  private readonly columnOf: Map<string, number>
  private texts: (string | undefined)[] = []

  constructor(layout: JsonLayout, rules: TableRules) {
    this.layout = layout
    this.rules = rules
    this.isList = rules.kind !== 'answers'
    this.columnOf = new Map(layout.names.map((name, index) => [readAsOf(name, rules), index]))
  }

  read(line: Buffer): Reason | undefined {
    const parsed = parseLine(line)
    if ('reason' in parsed) return parsed.reason
    const { form, names, unread } = this.layout
    const roles = rolesOf(this.rules.kind).length
    this.texts.fill(undefined)
    const seen = new Set<string>()
    for (const member of parsed.members) {
      const { name } = member
      const column = this.columnOfName(name)
      if (column === undefined) continue
      const isUnread = !this.isList && unread.includes(column)
      if (seen.has(name) && !isUnread) return { column: name, ...repeatedKey }
      seen.add(name)
      // The value of an unknown key can have any type. A list or an object is kept as JSON text.
      const isFree = this.isList ? column >= roles : isUnread
      // JSON.stringify fails for a value that is nested too deeply.
      const text =
        cellText(member) ?? (isFree ? orUndefined(() => JSON.stringify(parsed.object[name])) : undefined)
      if (text === undefined) return { column: name, ...wrongType }
      if (text === '') continue
      if (this.texts[column] !== undefined && !isUnread) return { column: name, ...twice }
      if (!this.isList && form === 'wide' && longOnly.includes(names[column]))
        return { column: name, ...wrongForm }
      this.texts[column] = text
    }
    this.fill()
    return undefined
  }

  private columnOfName(name: string): number | undefined {
    const { form, names } = this.layout
    const key = readAsOf(name, this.rules)
    const column = this.columnOf.get(key)
    if (column !== undefined || form === 'long' || !isOther(key, this.rules.kind)) return column
    refuseManyKeys(this.columnOf.size + 1)
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

const endsInResult =
  /,?"_line":\d+,"_column":"(?:[^"\\]|\\.)*","_code":"(?:[^"\\]|\\.)*","_message":"(?:[^"\\]|\\.)*"\}$/

/** A line of JSON with the reason added. A line that is not an object is kept as a string. */
function jsonResultLine(
  raw: Buffer,
  result: ResultCells,
  rules: TableRules,
  onlyKeys?: ReadonlySet<string>,
): string {
  const reason = JSON.stringify(Object.fromEntries(resultColumns.map((name, index) => [name, result[index]])))
  const parsed = parseLine(raw)
  if ('reason' in parsed)
    return withReason(JSON.stringify({ [rawRecordKey]: unwrapRecord(raw.toString()) }), reason)
  if (onlyKeys === undefined) return withReason(parsed.text.trimEnd().replace(endsInResult, '}'), reason)
  const kept = new Set<string>([...answerColumns, ...onlyKeys])
  const members = parsed.members
    .filter(({ name }) => kept.has(readAsOf(name, rules)))
    .map(({ name, raw }) => `${JSON.stringify(name)}:${raw ?? JSON.stringify(parsed.object[name])}`)
  return withReason(`{${members.join()}}`, reason)
}

function withReason(object: string, reason: string): string {
  const inside = object.slice(0, -1).trimEnd()
  return `${inside}${inside === '{' ? '' : ','}${reason.slice(1)}`
}
