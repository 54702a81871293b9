import { type InputFile, readText } from '../open-input.ts'
import { JsonCells } from '../rows/json-cells.ts'
import { columnsOf, layoutOf } from '../rows/layout.ts'
import { RecordCells } from '../rows/record-cells.ts'
import { openTable, type Table } from '../rows/table.ts'

export interface ListSettings {
  /** Column of the file to the name that it is read as. */
  map?: Readonly<Record<string, string>> | undefined
  delimiter?: string | undefined
  /** Column names with a meaning; the delimiter that finds most of them is used. */
  knownColumns: readonly string[]
}

const bytesForFirstLine = 4096

/**
 * Opens a list of users: csv, tsv or JSON lines with a column `external_user_id` or `user_id`, or one external user ID per
 * line without a header. Throws UsageError if the header has neither column.
 */
export function openList(input: InputFile, settings: ListSettings): Table {
  if (isPlainList(input, settings)) return plainTable(input)
  const table = openTable(input, settings, settings.knownColumns, (names, map) => layoutOf(names, map, true))
  return table.format === 'jsonl' ? { ...table, layout: { ...table.layout, form: 'wide' } } : table
}

/** Reads the records of a list as cells in the order of its layout. */
export function openRecords(table: Table, { map }: ListSettings): RecordCells {
  const json = table.format === 'jsonl' ? new JsonCells(true, map) : undefined
  return new RecordCells(table.layout, json)
}

/** A first line without a delimiter that names no column is the ID of the first user. */
function isPlainList(input: InputFile, { map = {}, delimiter }: ListSettings): boolean {
  if (delimiter !== undefined || /\.(jsonl|ndjson)(\.gz)?$/i.test(input.name)) return false
  const head = Buffer.alloc(Math.min(bytesForFirstLine, input.end - input.start))
  if (head.length === 0) return false
  readText(input, head, input.start)
  const line = (/^[^\r\n]*/.exec(head.toString().replace(/^[\r\n]+/, ''))?.[0] ?? '').trim()
  const name = Object.hasOwn(map, line) ? map[line] : line
  return line !== '' && !/[,;\t|"{[=]/.test(line) && name !== 'external_user_id' && name !== 'user_id'
}

function plainTable(input: InputFile): Table {
  const names = ['external_user_id']
  return {
    format: 'csv',
    delimiter: { character: ',', from: 'option' },
    dialect: { delimiter: ','.charCodeAt(0), quotes: true },
    layout: {
      form: 'wide',
      names,
      columns: columnsOf(names),
      keyColumns: [],
      blankFrom: 1,
      ignored: [],
      isResult: false,
    },
    data: { offset: input.start, line: 1 },
    header: undefined,
  }
}
