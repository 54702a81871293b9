import { UsageError } from '../../base/errors.ts'
import type { ListItem } from '../../bulk/lists/read-list.ts'
import type { Layout } from '../../bulk/rows/layout.ts'
import { machineColumns } from '../../output/cell.ts'
import { pickFields } from '../../output/fields.ts'
import { toJson } from '../../output/json.ts'
import { renderSeparated } from '../../output/separated.ts'
import type { OutputSettings } from '../../output/settings.ts'
import type { AnyColumn, Pen, View } from '../../output/view.ts'

/** One line of the output: the user, and a row of what the command returned for the user. */
export interface UserRow {
  item: ListItem
  row: unknown
}

export interface RowFormatOptions {
  view: View<never> | undefined
  keep: readonly string[]
  layout: Pick<Layout, 'columns'>
  settings: Pick<OutputSettings, 'format' | 'fields' | 'header' | 'excel'>
  pen: Pen
}

/** Formats the results for a list of users, one user at a time. */
export class RowFormat {
  /** The user's ID, the kept columns, and the columns of the command. */
  readonly columns: readonly AnyColumn[]
  readonly #options: RowFormatOptions
  readonly #ids: readonly ('external_user_id' | 'user_id')[]

  constructor(options: RowFormatOptions) {
    this.#options = options
    const { layout, keep } = options
    this.#ids = (['external_user_id', 'user_id'] as const).filter((name) => layout.columns[name] >= 0)
    const own = this.#resultColumns().filter(({ key }) => !this.#ids.some((id) => id === key))
    const clash = keep.filter((name) => own.some(({ key }) => key === name))
    if (clash.length > 0) {
      throw new UsageError(`--keep ${clash.join(',')}: the result has a column of the same name`, {
        hint: `Rename the column of the file: --map ${clash[0]}=their_${clash[0]} --keep their_${clash[0]}`,
      })
    }
    this.columns = [...this.#ids.map(idColumn), ...keep.map(keptColumn), ...own.map(inRow)]
  }

  /** Text before the first user. */
  get start(): string {
    const { format } = this.#options.settings
    if (format === 'json') return '['
    return format === 'ndjson' ? '' : this.#separated([], true)
  }

  /** Text after the last user. */
  end(users: number): string {
    return this.#options.settings.format === 'json' ? (users === 0 ? ']\n' : '\n]\n') : ''
  }

  /** The rows of one result: none, one, or several. */
  rowsOf(item: ListItem, value: unknown): UserRow[] {
    const { view } = this.#options
    if (value === null || value === undefined) return [{ item, row: {} }]
    const rows = view && 'rows' in view ? view.rows(value as never) : [value]
    return rows.map((row) => ({ item, row }))
  }

  /** `index`: the number of users before this one in the output. */
  text(item: ListItem, value: unknown, index: number): string {
    const { settings, pen } = this.#options
    if (settings.format !== 'json' && settings.format !== 'ndjson') {
      return this.#separated(this.rowsOf(item, value), false)
    }
    const object: Record<string, unknown> = {}
    for (const name of this.#ids) object[name] = name === item.user.kind ? item.user.id : null
    for (const name of this.#options.keep) object[name] = item.cell(name)
    object['result'] = this.#narrowed(value)
    const line = toJson(object, pen, 0)
    if (settings.format === 'ndjson') return line
    return `${index === 0 ? '\n' : ',\n'}${line.trimEnd()}`
  }

  #resultColumns(): readonly AnyColumn[] {
    const { view } = this.#options
    if (view === undefined || 'text' in view) return [{ key: 'value', title: 'value' }]
    return machineColumns(view.columns as readonly AnyColumn[])
  }

  #narrowed(value: unknown): unknown {
    const { fields } = this.#options.settings
    if (fields === undefined || value === null || value === undefined) return value ?? null
    const picked = pickFields(Array.isArray(value) ? value : [value], fields, {
      columns: this.#resultColumns(),
    })
    return Array.isArray(value) ? picked : picked[0]
  }

  #separated(rows: readonly UserRow[], header: boolean): string {
    const { settings } = this.#options
    const text = renderSeparated(
      rows,
      this.columns,
      { ...settings, header: header && settings.header },
      false,
    )
    // The byte order mark stands only at the start of the file.
    return header ? text : text.replace(/^\ufeff/, '')
  }
}

function idColumn(key: 'external_user_id' | 'user_id'): AnyColumn {
  const value = (line: unknown) => {
    const { item, row } = line as UserRow
    return item.user.kind === key ? item.user.id : (row as Record<string, unknown> | null)?.[key]
  }
  return { key, title: key === 'user_id' ? 'User ID' : 'External user ID', whole: true, value, priority: 9 }
}

function keptColumn(key: string): AnyColumn {
  return { key, title: key, value: (row) => (row as UserRow).item.cell(key) }
}

function inRow(column: AnyColumn): AnyColumn {
  const { value, cell } = column
  return {
    ...column,
    value: (row) => {
      const inner = (row as UserRow).row
      return value ? value(inner) : (inner as Record<string, unknown> | null)?.[column.key]
    },
    ...(cell && { cell: (row, pen) => cell((row as UserRow).row, pen) }),
  }
}
