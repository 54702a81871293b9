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

export function rounded(value: number): number {
  return Math.round(value * 100) / 100
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

/** A horizontal bar of `width` characters for a percentage, with half-character precision. */
export function gauge(percent: number, width: number, terminal: Terminal): string {
  const halves = Math.round((Math.min(100, Math.max(0, percent)) / 100) * width * 2)
  const filled = '━'.repeat(Math.floor(halves / 2)) + '╸'.repeat(halves % 2)
  return terminal.cyan(filled) + terminal.dim('─'.repeat(width - filled.length))
}
