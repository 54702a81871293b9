import { rounded } from '../base/functions.ts'
import { type Fields, toJsonText } from '../base/json.ts'
import { formatTime } from './time.ts'
import type { AnyColumn, Terminal } from './view.ts'

export function machineColumns(columns: readonly AnyColumn[]): AnyColumn[] {
  return columns.filter(({ only }) => only === undefined || only === 'machines')
}

export function columnsForPeople(columns: readonly AnyColumn[], terminal: Terminal): AnyColumn[] {
  const isShown = { machines: false, pictures: terminal.pictures, terminal: terminal.isTTY }
  return columns.filter(({ only }) => only === undefined || isShown[only])
}

export function machineValue(column: AnyColumn, row: unknown): unknown {
  if (column.value) return column.value(row)
  return (row as Fields | null | undefined)?.[column.key]
}

/** A machine value as text: empty for null, and JSON for arrays and objects. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? toJsonText(value) : String(value)
}

/** The text of a cell for people. A terminal shows rounded numbers, and a dash for a missing value. */
export function personText(column: AnyColumn, row: unknown, terminal: Terminal): string {
  const text = filledText(column, row, terminal)
  return text === '' && terminal.isTTY ? missing(terminal) : text
}

export function missing(terminal: Terminal): string {
  return terminal.dim('–')
}

function filledText(column: AnyColumn, row: unknown, terminal: Terminal): string {
  if (column.cell) return column.cell(row, terminal)
  const value = machineValue(column, row)
  if (column.time) return formatTime(value, terminal)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number' && terminal.isTTY) return String(rounded(value))
  if (Array.isArray(value)) return value.map(plainText).join(', ')
  return plainText(value)
}
