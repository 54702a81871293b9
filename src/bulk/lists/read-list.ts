import { describeNormalized } from '../normalized.ts'
import { RecordReader, refuseMergedIds } from '../rows/record-reader.ts'
import { openSurvey, type Survey, throwUnclear } from '../rows/survey.ts'
import type { KeyColumn, Table } from '../rows/table.ts'
import { hashUserId } from '../rows/user-hash.ts'
import { hasBothIds, userKindIn, whyNoUserIn } from '../rows/user-ids.ts'
import type { Convert } from '../rows/values.ts'
import type { Cells } from '../scan/cells.ts'
import { ownsUser, type Shard } from '../shard.ts'
import type { Place, Reason, UserRef } from '../types.ts'

export interface ListItem extends Place {
  user: UserRef
  /** The user ID in a row with both IDs. The external user ID identifies the user. */
  expectedUserId?: string
  /** The cell in a column. Empty if the column is missing. */
  cell(name: string): string
  /** Error messages for cells that cannot be converted. */
  problems: readonly string[]
}

export interface BadRow extends Place {
  reason: Reason
}

export interface OpenedList {
  table: Table
  shard?: Shard | undefined
}

/** Reads a list from its start, in blocks. Empty lines are skipped. `row` counts the rows in all shards. */
export async function* readList(
  { table, shard }: OpenedList,
  records = new RecordReader(table),
  survey?: Survey,
): AsyncGenerator<(ListItem | BadRow)[]> {
  const { scanner } = records
  const { rules } = table
  const converters =
    rules.kind === 'users' ? (await import('../rows/values.ts')).convertersFor(rules) : undefined
  const readCells = openCells(records, converters)
  let row = 0
  for await (const _position of records.positions()) {
    const items: (ListItem | BadRow)[] = []
    while (records.next()) {
      const place = { row: row++, line: scanner.line, offset: scanner.offset }
      const item = readItem(place, records, readCells, survey)
      // A row without a user belongs to no shard, so only the first shard reports it.
      const isOwned =
        !shard || ('user' in item ? ownsUser(shard, hashUserId(item.user.id)) : shard.index === 0)
      if (isOwned) items.push(item)
    }
    yield items
  }
}

/** Reads the list once and calls `check` for each row. Returns a text about corrected cells and skipped rows, if there are any. */
export async function checkList(
  list: OpenedList,
  check: (item: ListItem | BadRow) => void,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { input } = list.table
  const records = new RecordReader(list.table)
  const survey = await openSurvey(list.table)
  let rows = 0
  for await (const items of readList(list, records, survey)) {
    signal?.throwIfAborted()
    rows += items.length
    items.forEach(check)
  }
  await throwUnclear(input.name, survey.questions())
  await refuseMergedIds(list.table, records.changedIds)
  const { normalized, skipped } = records
  const changed = describeNormalized({ ...input, normalized, skipped })
  if (rows > 0 || list.shard) return changed
  return [`${input.name} has no rows below its header`, ...(changed ? [changed] : [])].join('; ')
}

function readItem(
  { row, line, offset }: Place,
  records: RecordReader,
  readCells: ReturnType<typeof openCells>,
  survey: Survey | undefined,
): ListItem | BadRow {
  const { layout } = records.table
  const cells = records.cells()
  if (!cells)
    return { row, line, offset, reason: records.reason ?? { code: 'row', message: 'the row is invalid' } }
  const kind = userKindIn(cells, layout)
  const reason = whyNoUserIn(cells, layout, kind, records.ids)
  if (reason) return { row, line, offset, reason }
  // A row of totals or a separator line has no meaningful cells, so only rows of users are surveyed.
  survey?.note(cells, line)
  const user = { kind, id: cells.text(layout.columns[kind]) }
  const isBoth = kind === 'external_user_id' && hasBothIds(cells, layout.columns)
  const expected = isBoth ? { expectedUserId: cells.text(layout.columns.user_id) } : undefined
  return { row, line, offset, user, ...expected, ...readCells(cells) }
}

const noProblems: readonly string[] = []
const noCells = { cell: () => '', problems: noProblems }

/** Returns a function that reads cells by column name. `converters` converts cells, by column name (default: no conversion). */
function openCells(records: RecordReader, converters?: ReadonlyMap<string, Convert>) {
  let names = new Map<string, number>()
  let converts: (Convert | undefined)[] = []
  return (cells: Cells): Pick<ListItem, 'cell' | 'problems'> => {
    const { keyColumns } = records
    // If a list has only columns for IDs, all rows share one object, because one object per row would slow down the garbage collector.
    if (keyColumns.length === 0) return noCells
    // In JSON lines, a later line can add columns, so the columns are prepared again.
    if (keyColumns.length !== converts.length) {
      names = new Map(keyColumns.map(({ key }, at) => [key, at]))
      converts = keyColumns.map(({ key }) => converters?.get(key))
    }
    const texts: string[] = []
    let problems = noProblems
    for (let at = 0; at < keyColumns.length; at++) {
      const { column } = keyColumns[at] as KeyColumn
      const text = column >= cells.count || cells.isEmpty(column) ? '' : cells.text(column)
      const converted = text === '' ? undefined : converts[at]?.(text)
      if (converted && 'problem' in converted) problems = [...problems, converted.problem]
      texts.push(converted && 'text' in converted ? converted.text : converted ? '' : text)
    }
    const known = names
    return { cell: (name) => texts[known.get(name) ?? -1] ?? '', problems }
  }
}
