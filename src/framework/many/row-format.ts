import { extname } from 'node:path'
import { UsageError } from '../../base/errors.ts'
import type { ListItem } from '../../bulk/lists/read-list.ts'
import type { Layout, Table } from '../../bulk/rows/table.ts'
import { type UserKind, userKinds } from '../../bulk/types.ts'
import { machineColumns } from '../../output/cell.ts'
import { selectFields } from '../../output/fields.ts'
import { renderSeparated } from '../../output/separated.ts'
import { canMerge, formatOfEnding, hasRows, isForPeople, type OutputSettings } from '../../output/settings.ts'
import type { ValueWriter } from '../../output/value-formats.ts'
import type { AnyColumn, AnyView, Column, Terminal } from '../../output/view.ts'
import type { Context } from '../context.ts'
import type { Command } from '../define-command.ts'
import type { ManyInput } from './options.ts'

/** One line of the output: the user, the columns that are copied from the list, and a row of the result for this user. */
export interface UserRow {
  given: Readonly<Record<string, string | null>>
  row: unknown
}

interface FormattedRun {
  command: Partial<Pick<Command, 'view' | 'many'>>
  settings: OutputSettings
  list: { table: Pick<Table, 'layout'> }
  /** Columns of the list that are copied to the output. */
  keep: readonly string[]
}

/** Formats the results for a list, one user at a time. */
export class RowFormat {
  /** The columns for the user ID, the columns that are copied from the list, and the columns of the command. */
  readonly columns: readonly Column<UserRow>[]
  /** The text before the first result. */
  readonly start: string
  /** The text between two results. */
  readonly separator: string
  readonly settings: OutputSettings
  readonly #view: AnyView<never> | undefined
  readonly #keepsEmpty: true | undefined
  /** Writer for a format with nested values, such as JSON. Undefined for formats with rows, such as CSV. */
  readonly #writer: ValueWriter | undefined
  readonly #terminal: Terminal
  readonly #ids: readonly UserKind[]
  readonly #keep: readonly string[]
  readonly #resultColumns: readonly AnyColumn[]

  constructor(run: FormattedRun, writer: ValueWriter | undefined, terminal: Terminal) {
    const { command, settings, list, keep } = run
    const view = command.many?.view ?? command.view
    this.settings = settings
    this.#view = view
    this.#keepsEmpty = command.many?.keepsEmpty
    this.#writer = writer
    this.#terminal = terminal
    this.#resultColumns =
      view === undefined || 'text' in view ? [{ key: 'value', title: 'value' }] : machineColumns(view.columns)
    this.#ids = userKinds.filter((name) => list.table.layout.columns[name] >= 0)
    const ids: ReadonlySet<string> = new Set(this.#ids)
    const own = this.#resultColumns.filter(({ key }) => !ids.has(key))
    this.#keep = [...new Set(keep)].filter((name) => !ids.has(name))
    const clash = this.#keep.filter((name) => own.some(({ key }) => key === name))
    if (clash.length > 0) {
      throw new UsageError(`--keep ${clash.join(',')}: the output already has a column with that name`, {
        hint: `Rename the input column: --map ${clash[0]}=their_${clash[0]} --keep their_${clash[0]}`,
      })
    }
    this.columns = [...[...this.#ids, ...this.#keep].map(givenColumn), ...own.map(resultColumn)]
    this.start = writer?.start ?? this.#separated([], true)
    this.separator = writer?.separator ?? ''
  }

  end(users: number): string {
    return this.#writer?.end(users) ?? ''
  }

  /** The rows of one result. Can be empty unless `keepsEmpty` is set. */
  rowsOf(item: ListItem, value: unknown): UserRow[] {
    const view = this.#view
    const given = this.#given(item)
    if (value === null || value === undefined) return [{ given, row: {} }]
    const rows = view && 'rows' in view ? view.rows(value as never) : [value]
    return this.#keepsEmpty && rows.length === 0 ? [{ given, row: {} }] : rows.map((row) => ({ given, row }))
  }

  /** The text of one result. If `--jq` is set, the result is the list of values that the filter returned. */
  text(item: ListItem, value: unknown): string {
    const writer = this.#writer
    if (writer === undefined) return this.#separated(this.rowsOf(item, value), false)
    const results = this.settings.jq === undefined ? [this.#narrowed(value)] : (value as readonly unknown[])
    return results.map((result) => writer.item({ ...this.#given(item), result }, this.#terminal)).join('')
  }

  #given(item: ListItem): UserRow['given'] {
    const { kind, id } = item.user
    const { expectedUserId = null } = item
    const given: Record<string, string | null> = {}
    for (const name of this.#ids) given[name] = name === kind ? id : expectedUserId
    if (this.#keep.length === 0) return given
    // `Object.fromEntries` keeps the cell of a column named __proto__. A normal assignment would lose it.
    return { ...given, ...Object.fromEntries(this.#keep.map((name) => [name, item.cell(name)])) }
  }

  #narrowed(value: unknown): unknown {
    const { fields } = this.settings
    if (fields === undefined || value === null || value === undefined) return value ?? null
    const rows = Array.isArray(value) ? value : [value]
    return selectFields(value, fields, { view: { columns: this.#resultColumns }, rows })
  }

  #separated(rows: readonly UserRow[], isStart: boolean): string {
    const { format, header, excel } = this.settings
    const settings = { format: hasRows(format) ? format : 'tsv', header: isStart && header, excel } as const
    const text = renderSeparated(rows, this.columns, settings, false)
    // A byte order mark is allowed only at the start of the file, so it is removed from all other texts.
    return isStart ? text : text.replace(/^\ufeff/, '')
  }
}

const idTitles: ReadonlyMap<string, string> = new Map([
  ['user_id', 'User ID'],
  ['external_user_id', 'External user ID'],
])

/** A column with a cell of the list or, if it has none, the field of the result with this name, such as the user’s other ID. */
function givenColumn(key: string): Column<UserRow> {
  const title = idTitles.get(key) ?? key
  return {
    key,
    title,
    whole: idTitles.has(key),
    priority: 9,
    value: ({ given, row }) => given[key] ?? fieldOf(row, key),
  }
}

function resultColumn(column: AnyColumn): Column<UserRow> {
  const { key, value, cell } = column
  return {
    ...column,
    value: ({ row }) => (value ? value(row) : fieldOf(row, key)),
    ...(cell && { cell: ({ row }, terminal) => cell(row, terminal) }),
  }
}

function fieldOf(row: unknown, key: string): unknown {
  return (row as Record<string, unknown> | null)?.[key]
}

/** The columns of the list that are missing in the view, such as the status of an earlier run. */
export function copiedColumns(
  view: AnyView<never> | undefined,
  { keyColumns }: Pick<Layout, 'keyColumns'>,
): string[] {
  const own = view && 'columns' in view ? view.columns.map(({ key }) => key) : []
  return keyColumns.map(({ key }) => key).filter((name) => name !== '' && !own.includes(name))
}

/** The output format. Throws if a flag or the destination cannot be used with a list. */
export function chooseSettings(
  ctx: Context,
  { many = {}, options }: Pick<Command, 'many' | 'options'>,
  input: ManyInput,
): OutputSettings {
  // `isExplicit` is removed, so that the same run is resumed with or without --output.
  const { isExplicit, ...settings } = ctx.settings
  const clash = (many.excludes ?? []).filter((name) =>
    [input[name] ?? false].flat().some((value) => value !== false),
  )
  if (clash.length > 0) {
    const names = clash.map((name) => options[name]?.long)
    throw new UsageError(`${names.join(', ')} and --users cannot be used together`)
  }
  const { isTTY } = ctx.terminals.stdout
  const isFiltered = settings.jq !== undefined && !many.change
  if (isFiltered && input.out !== undefined) return chooseFiltered(settings, input)
  if (input.out !== undefined || many.change) {
    const usual = isForPeople(settings) || many.change ? 'csv' : settings.format
    const isChosen = isExplicit && usual === settings.format
    const format = isChosen ? usual : (formatOfEnding(extname(input.out ?? '')) ?? usual)
    if (many.change && (input.shard ?? input.shardIndex) !== undefined && !canMerge(format))
      throw new UsageError(`--shard: ${format} files cannot be merged; use .csv, .tsv, or .ndjson`)
    return { ...settings, jq: undefined, format }
  }
  if (many.isSecret && isTTY) {
    throw new UsageError('tokens and links are not printed to a terminal', {
      hint: 'Use --out FILE to write the values to an owner-only file, or pipe the output to a program.',
    })
  }
  if (isFiltered) return chooseFiltered(settings, input)
  return isForPeople(settings) && !isTTY ? { ...settings, format: 'tsv' } : settings
}

/** Sets the output format to NDJSON if `--jq` is given, because a filter can return any number of results per user. */
function chooseFiltered(settings: OutputSettings, { out }: ManyInput): OutputSettings {
  if (settings.fields !== undefined)
    throw new UsageError('--json=fields, --jq, and --users cannot be used together')
  if (out !== undefined && formatOfEnding(extname(out)) !== 'ndjson') {
    throw new UsageError('--jq writes NDJSON, but the --out file has another format', {
      hint: 'Use a file name that ends in .ndjson.',
    })
  }
  return { ...settings, format: 'ndjson' }
}
