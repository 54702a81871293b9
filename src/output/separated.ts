import { machineValue, plainText } from './cell.ts'
import { escapeControls } from './text.ts'
import type { AnyColumn } from './view.ts'

interface SeparatedOptions {
  header: boolean
  excel: boolean
  /** Whether stdout is a terminal. Control characters are then escaped. */
  terminal: boolean
}

const byteOrderMark = '\ufeff'
const formulaStart = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/
const plainNumber = /^[+-]?\d+(\.\d+)?$/

/** A spreadsheet evaluates text that starts like a formula. A leading apostrophe prevents this. */
function harmless(text: string): string {
  return formulaStart.test(text) && !plainNumber.test(text) ? `'${text}` : text
}

function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const tsvEscapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function tsvField(text: string): string {
  return text.replace(/[\\\t\n\r]/g, (character) => tsvEscapes[character] ?? character)
}

type Render = (rows: readonly unknown[], columns: readonly AnyColumn[], options: SeparatedOptions) => string

function separated(field: (text: string) => string, separator: string, lineEnd: string): Render {
  return (rows, columns, { header, excel, terminal }) => {
    const guard = excel ? harmless : (text: string) => text
    const shown = terminal ? escapeControls : (text: string) => text
    const lines = rows.map((row) => columns.map((column) => shown(plainText(machineValue(column, row)))))
    const all = header ? [columns.map((column) => column.key), ...lines] : lines
    return all.map((texts) => texts.map((text) => field(guard(text))).join(separator) + lineEnd).join('')
  }
}

const renderFields = separated(csvField, ',', '\r\n')

/** RFC 4180: records end with CRLF, and a field with a quote, a comma or a line break is quoted. */
export const renderCsv: Render = (rows, columns, options) =>
  (options.excel ? byteOrderMark : '') + renderFields(rows, columns, options)

/** One line per record. Tab, line feed, carriage return and backslash are written as \t, \n, \r and \\. */
export const renderTsv = separated(tsvField, '\t', '\n')
