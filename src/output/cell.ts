import { toJsonText } from '../base/json.ts'
import { formatTime } from './time.ts'
import type { Column, Pen } from './view.ts'

type Fields = Readonly<Record<string, unknown>>

/** The row type belongs to whoever wrote the view. */
export type AnyColumn = Column<unknown>

export function columnsFor(audience: 'people' | 'machines', columns: readonly AnyColumn[]): AnyColumn[] {
  return columns.filter((column) => column.only === undefined || column.only === audience)
}

export function machineValue(column: AnyColumn, row: unknown): unknown {
  if (column.value) return column.value(row)
  return (row as Fields | null | undefined)?.[column.key]
}

/** How a machine value is written where there is only text: nothing for null, JSON for what has parts. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? toJsonText(value) : String(value)
}

/** The same for a person: lists without brackets, yes and no, and a dash for what is not there. */
export function personText(column: AnyColumn, row: unknown, pen: Pen): string {
  const text = filledText(column, row, pen)
  return text === '' && pen.terminal ? pen.dim('–') : text
}

function filledText(column: AnyColumn, row: unknown, pen: Pen): string {
  if (column.cell) return column.cell(row, pen)
  const value = machineValue(column, row)
  if (column.time) return formatTime(value, pen)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(plainText).join(', ')
  return plainText(value)
}
