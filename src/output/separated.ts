import { machineColumns, machineValue, plainText } from './cell.ts'
import type { OutputSettings, RowsFormat } from './settings.ts'
import { escapeControls } from './text.ts'
import { rowsOf } from './value-formats.ts'
import type { AnyColumn, AnyView } from './view.ts'

const byteOrderMark = '\ufeff'
/** Matches the start of a formula. Spreadsheets ignore quotes and spaces before a formula. */
const formulaStart = /^[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20]/
const plainNumber = /^[+-]?\d+(\.\d+)?$/

interface SeparatedFormat {
  separator: string
  lineEnd: string
  fieldOf(text: string): string
  /** Characters after which a spreadsheet may start a new cell. */
  cellEnd: RegExp
  excelStart: string
}

const dialects: Readonly<Record<RowsFormat, SeparatedFormat>> = {
  /** RFC 4180: records end with CRLF. A field with a quote, a comma, or a line break is quoted. */
  csv: {
    separator: ',',
    lineEnd: '\r\n',
    fieldOf: (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text),
    cellEnd: /([;\t\r\n])/,
    excelStart: byteOrderMark,
  },
  /** One line per record. Tab, line feed, carriage return, and backslash are written as \t, \n, \r, and \\. */
  tsv: {
    separator: '\t',
    lineEnd: '\n',
    fieldOf: (text) =>
      text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r'),
    cellEnd: /([,;\t\r\n])/,
    excelStart: '',
  },
}

type RowSettings = Pick<OutputSettings, 'header' | 'excel'> & { format: RowsFormat }

/** The result of a command as CSV or TSV. A single value is printed without a header. */
export function renderRows(
  value: unknown,
  view: AnyView<unknown>,
  settings: RowSettings,
  isTerminal: boolean,
): string {
  if (!('text' in view)) return renderSeparated(rowsOf(value, view), view.columns, settings, isTerminal)
  const column = { key: 'value', title: 'value', value: (text: unknown) => text }
  return renderSeparated([view.text(value)], [column], { ...settings, header: false }, isTerminal)
}

/** Renders the columns for machines as CSV or TSV. Escapes control characters on a terminal. */
export function renderSeparated(
  rows: readonly unknown[],
  all: readonly AnyColumn[],
  { format, header, excel }: RowSettings,
  isTerminal: boolean,
): string {
  const { separator, lineEnd, fieldOf, cellEnd, excelStart } = dialects[format]
  const columns = machineColumns(all)
  const lines = rows.map((row) =>
    columns.map((column) => {
      const text = plainText(machineValue(column, row))
      return isTerminal ? escapeControls(text) : text
    }),
  )
  const texts = header ? [columns.map(({ key }) => key), ...lines] : lines
  const records = texts.map((record) =>
    record.map((text) => fieldOf(excel ? harmless(text, cellEnd) : text)).join(separator),
  )
  const start = excel ? excelStart : ''
  return start + records.map((record) => record + lineEnd).join('')
}

/**
 * Adds an apostrophe before text that a spreadsheet would evaluate as a formula. Some spreadsheets start a new cell after each semicolon,
 * tab, or line break, so text after these characters is checked too. In TSV, text after a comma is also checked, because TSV has no
 * quotes.
 */
function harmless(text: string, cellEnd: RegExp): string {
  const parts = text.split(cellEnd)
  const safe = parts.map((part) => (formulaStart.test(part) && !plainNumber.test(part) ? `'${part}` : part))
  return (/^[\t\r\n]/.test(text) ? "'" : '') + safe.join('')
}
