import { createHash } from 'node:crypto'
import { UsageError } from '../../base/errors.ts'
import { quoteWord } from '../../base/text/shell-quote.ts'
import { type InputFile, readText } from '../open-input.ts'
import { layoutOf, renamed } from '../rows/layout.ts'
import { userKindIn, whyNoUserIn } from '../rows/reasons.ts'
import { RecordReader } from '../rows/record-reader.ts'
import { idRules, openTable, type Table } from '../rows/table.ts'
import { hashUserId } from '../rows/user-hash.ts'
import type { Cells } from '../scan/cells.ts'
import { ownsUser, type Shard } from '../shard.ts'
import type { InputIdentity, Place, Reason, UserRef } from '../types.ts'

export interface ListSettings {
  /** Maps a column name in the file to the name that replaces it. */
  map?: Readonly<Record<string, string>> | undefined
  delimiter?: string | undefined
  ids?: 'exact' | undefined
  /** Whether damaged IDs are refused, because the rows change users. */
  checksIds?: boolean
  /** Column names with a meaning; the delimiter that finds most of them is used. */
  knownColumns: readonly string[]
}

const bytesForFirstLine = 4096

/**
 * Opens a list of users: csv, tsv or JSON lines with a column `external_user_id` or `user_id`, or one external user ID per
 * line without a header. Throws UsageError if the header has neither column.
 */
export function openList(input: InputFile, settings: ListSettings): Table {
  if (isPlainList(input, settings)) return plainTable(input, settings)
  return openTable(input, settings, settings.knownColumns, true)
}

/** Usual headers, without spaces, dashes and underscores. Only these words, because a user ID can have any other form. */
const headerLine = new RegExp(
  [
    '(external)?(user|employee|patient|customer|client|member|person)?ids?',
    '(user|employee|patient|customer|client|member|person)(s|no\\.?|number)?',
    '(user)?names?',
    'e?mail(address)?',
  ]
    .map((header) => `^${header}$`)
    .join('|'),
  'i',
)

/** A first line without a delimiter that names no column is the ID of the first user. */
function isPlainList(input: InputFile, { map = {}, delimiter }: ListSettings): boolean {
  if (delimiter !== undefined || /\.(jsonl|ndjson)(\.gz)?$/i.test(input.name)) return false
  const head = Buffer.alloc(Math.min(bytesForFirstLine, input.end - input.start))
  if (head.length === 0) return false
  readText(input, head, input.start)
  const line = (/^[^\r\n]*/.exec(head.toString().replace(/^[\r\n]+/, ''))?.[0] ?? '').trim()
  const name = renamed(line, map)
  if (line === '' || /[,;\t|"{[=]/.test(line) || name === 'external_user_id' || name === 'user_id')
    return false
  if (!headerLine.test(line.replace(/[\s_-]/g, ''))) return true
  throw new UsageError(
    `the first line of ${input.name}, "${line}", looks like a header, not like a user ID`,
    {
      hint: `Rename the column: --map ${quoteWord(`${line}=external_user_id`)}. If the line is a user ID, add the header line external_user_id above it.`,
    },
  )
}

function plainTable(input: InputFile, settings: ListSettings): Table {
  const { map = {} } = settings
  return {
    ids: idRules(settings, true),
    input,
    map,
    format: 'csv',
    delimiter: { character: ',', from: 'option' },
    dialect: { delimiter: ','.charCodeAt(0), quotes: true },
    layout: layoutOf(['external_user_id'], {}, true),
    data: { offset: input.start, line: 1 },
    header: undefined,
  }
}

/** One user of a list. */
export interface ListItem extends Place {
  user: UserRef
  /** Cells of the other columns by name; '' if the cell is empty or the column is missing. */
  cell(name: string): string
}

/** A row that names no valid user. */
export interface BadRow extends Place {
  reason: Reason
}

export interface OpenedList {
  table: Table
  shard?: Shard | undefined
}

/** Reads a list from its start, in file order and in blocks. Empty lines are skipped. `row` counts the rows of all shards. */
export async function* readList(
  { table, shard }: OpenedList,
  hash?: ReturnType<typeof createHash>,
): AsyncGenerator<(ListItem | BadRow)[]> {
  const records = new RecordReader(table)
  const { scanner } = records
  let row = 0
  const read = () => {
    const items: (ListItem | BadRow)[] = []
    while (records.next()) {
      if (scanner.start === scanner.end || records.isBlank()) continue
      const item = readItem({ row: row++, line: scanner.line, offset: scanner.offset }, records)
      if (isOwned(item, shard)) items.push(item)
    }
    return items
  }
  for await (const _position of records.positions(hash)) yield read()
}

/** Reads the complete list once, and returns its identity. `check` is called for each row. */
export async function checkList(
  list: OpenedList,
  check: (item: ListItem | BadRow) => void,
  signal?: AbortSignal,
): Promise<InputIdentity> {
  const { input } = list.table
  const hash = createHash('sha256')
  for await (const items of readList(list, input.identity ? undefined : hash)) {
    signal?.throwIfAborted()
    items.forEach(check)
  }
  return input.identity ?? { sha256: hash.digest('hex'), bytes: input.end }
}

function isOwned(item: ListItem | BadRow, shard: Shard | undefined): boolean {
  if (shard === undefined) return true
  // Exactly one shard reports a row without a user.
  if ('reason' in item) return shard.index === 0
  return ownsUser(shard, hashUserId(item.user.id))
}

function readItem({ row, line, offset }: Place, records: RecordReader): ListItem | BadRow {
  const { layout } = records.table
  const cells = records.cells()
  if (!cells)
    return { row, line, offset, reason: records.reason ?? { code: 'row', message: 'the row is invalid' } }
  records.trim(cells)
  const kind = userKindIn(cells, layout)
  const reason = whyNoUserIn(cells, layout, kind, records.table.ids)
  if (reason) return { row, line, offset, reason }
  const user = { kind, id: cells.text(layout.columns[kind]) }
  return { row, line, offset, user, cell: readCells(cells, records) }
}

const noCell = () => ''

function readCells(cells: Cells, { keyColumns }: RecordReader): ListItem['cell'] {
  // A map for each user of a list without flag columns would occupy the garbage collector.
  if (keyColumns.length === 0) return noCell
  const texts = new Map<string, string>()
  for (const { column, key } of keyColumns) {
    if (column < cells.count && !cells.isEmpty(column)) texts.set(key, cells.text(column))
  }
  return (name) => texts.get(name) ?? ''
}
