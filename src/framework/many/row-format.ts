import { UsageError } from '../../base/errors.ts'
import type { ListItem } from '../../bulk/lists/read-list.ts'
import type { Layout } from '../../bulk/rows/layout.ts'
import { type UserKind, userKinds } from '../../bulk/types.ts'
import { machineColumns } from '../../output/cell.ts'
import { selectFields } from '../../output/fields.ts'
import type { Frame } from '../../output/frame.ts'
import { renderSeparated } from '../../output/separated.ts'
import type { OutputSettings } from '../../output/settings.ts'
import type { AnyColumn, AnyView, Column, Pen } from '../../output/view.ts'

/** One line of the output: the user, the kept columns, and a row of the result for this user. */
export interface UserRow {
  given: Readonly<Record<string, string | null>>
  row: unknown
}

/** The results of the filter from `--jq` for one user, one per line. */
export class Filtered {
  readonly results: readonly unknown[]

  constructor(results: readonly unknown[]) {
    this.results = results
  }
}

export interface RowFormatOptions {
  view: AnyView<never> | undefined
  keep: readonly string[]
  layout: Pick<Layout, 'columns'>
  settings: Pick<OutputSettings, 'format' | 'fields' | 'header' | 'excel'>
  /** The frame of a format with nested values. Undefined for formats with rows. */
  frame: Frame | undefined
  pen: Pen
}

/** Formats the results for a list, one user at a time. */
export class RowFormat {
  /** The column with the user ID, the kept columns, and the columns of the command. */
  readonly columns: readonly Column<UserRow>[]
  readonly #options: RowFormatOptions
  readonly #ids: readonly UserKind[]
  readonly #keep: readonly string[]
  readonly #resultColumns: readonly AnyColumn[]

  constructor(options: RowFormatOptions) {
    this.#options = options
    const { layout, view } = options
    this.#resultColumns =
      view === undefined || 'text' in view ? [{ key: 'value', title: 'value' }] : machineColumns(view.columns)
    this.#ids = userKinds.filter((name) => layout.columns[name] >= 0)
    const isId = (key: string) => this.#ids.some((id) => id === key)
    const own = this.#resultColumns.filter(({ key }) => !isId(key))
    const keep = [...new Set(options.keep)].filter((name) => !isId(name))
    this.#keep = keep
    const clash = keep.filter((name) => own.some(({ key }) => key === name))
    if (clash.length > 0) {
      throw new UsageError(`--keep ${clash.join(',')}: the output already has a column with that name`, {
        hint: `Rename the input column: --map ${clash[0]}=their_${clash[0]} --keep their_${clash[0]}`,
      })
    }
    this.columns = [...this.#ids.map(idColumn), ...keep.map(givenColumn), ...own.map(inRow)]
  }

  get start(): string {
    return this.#options.frame?.start ?? this.#separated([], true)
  }

  end(users: number): string {
    return this.#options.frame?.end(users) ?? ''
  }

  /** The rows of one result. A result can have no rows. */
  rowsOf(item: ListItem, value: unknown): UserRow[] {
    const { view } = this.#options
    const given = this.#given(item)
    if (value === null || value === undefined) return [{ given, row: {} }]
    const rows = view && 'rows' in view ? view.rows(value as never) : [value]
    return rows.map((row) => ({ given, row }))
  }

  get separator(): string {
    return this.#options.frame?.separator ?? ''
  }

  text(item: ListItem, value: unknown): string {
    const { frame, pen } = this.#options
    if (frame === undefined) return this.#separated(this.rowsOf(item, value), false)
    const textOf = (result: unknown) => frame.item({ ...this.#given(item), result }, pen)
    return value instanceof Filtered ? value.results.map(textOf).join('') : textOf(this.#narrowed(value))
  }

  #given(item: ListItem): UserRow['given'] {
    const { kind, id } = item.user
    const { expectedUserId = null } = item
    const ids = this.#ids.map((name) => [name, name === kind ? id : expectedUserId] as const)
    // Assigning to a column named __proto__ would lose the cell.
    return Object.fromEntries([...ids, ...this.#keep.map((name) => [name, item.cell(name)] as const)])
  }

  #narrowed(value: unknown): unknown {
    const { fields } = this.#options.settings
    if (fields === undefined || value === null || value === undefined) return value ?? null
    const rows = Array.isArray(value) ? value : [value]
    return selectFields(value, fields, { view: { columns: this.#resultColumns }, rows })
  }

  #separated(rows: readonly UserRow[], isStart: boolean): string {
    const { settings } = this.#options
    const header = isStart && settings.header
    const text = renderSeparated(rows, this.columns, { ...settings, header }, false)
    // A byte order mark is allowed only at the start of the file.
    return isStart ? text : text.replace(/^\ufeff/, '')
  }
}

/** The column with the user ID from the list. The result may contain only the user’s other ID. */
function idColumn(key: UserKind): Column<UserRow> {
  const title = key === 'user_id' ? 'User ID' : 'External user ID'
  return { ...givenColumn(key), title, whole: true }
}

function givenColumn(key: string): Column<UserRow> {
  return { key, title: key, priority: 9, value: (row) => row.given[key] ?? fieldOf(row, key) }
}

function inRow(column: AnyColumn): Column<UserRow> {
  const { key, value, cell } = column
  return {
    ...column,
    value: (row) => (value ? value(row.row) : fieldOf(row, key)),
    ...(cell && { cell: (row, pen) => cell(row.row, pen) }),
  }
}

function fieldOf({ row }: UserRow, key: string): unknown {
  return (row as Record<string, unknown> | null)?.[key]
}

/** The columns of a list that the view does not contain, such as the status of an earlier run. */
export function copiedColumns(
  view: RowFormatOptions['view'],
  { keyColumns }: Pick<Layout, 'keyColumns'>,
): string[] {
  const own = view && 'columns' in view ? view.columns.map(({ key }) => key) : []
  return keyColumns.map(({ key }) => key).filter((name) => name !== '' && !own.includes(name))
}
