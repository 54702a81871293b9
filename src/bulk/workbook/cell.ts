import { shownMark } from '../scan/cells.ts'
import type { NumberFormat } from './formats.ts'
import { attribute, decodeXml, elementsOf, firstElement, hasStart, withoutElements } from './xml.ts'

/** Data of the workbook that the cells of a sheet refer to, such as shared texts and styles. */
export interface SheetContext {
  strings: readonly string[]
  formats: readonly NumberFormat[]
  has1904Dates: boolean
}

const mark = String.fromCharCode(shownMark)
/** Marker bytes before a number that is displayed with additional characters or may be rounded. Such a number is not used as an ID. */
const decorated = mark + mark

/** Matches formulas for totals below a table. A total must not be read as the value of a user. */
const subtotal = /\b(?:SUBTOTAL|AGGREGATE)\(/

const dayMs = 86_400_000
/** Day 0 of Excel, which counts 29 February 1900 although that day did not exist. */
const epoch1900 = Date.UTC(1899, 11, 30)
const epoch1904 = Date.UTC(1904, 0, 1)

/** The text of a cell, after a marker byte if it is displayed differently. `column` is the style if the cell has none. */
export function textOfCell(
  attributes: string,
  content: string,
  context: SheetContext,
  column?: string,
): string {
  const type = attribute(attributes, 't')
  if (type === 'inlineStr') return richText(content)
  const value = valueText(content)
  if (value === undefined && hasStart(content, 'v')) return '#DAMAGED CELL'
  if (value === undefined || (value === '' && type !== 'str')) {
    return firstElement(content, 'f') ? '#NO RESULT OF A FORMULA' : ''
  }
  if (subtotal.test(content) && subtotal.test(firstElement(content, 'f')?.content ?? '')) return '#SUBTOTAL'
  if (type === 's') return context.strings[Number(value)] ?? '#MISSING TEXT'
  if (type === 'str' || type === 'e') return plainText(decodeXml(value))
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type === 'd') return dateText(Date.parse(`${value.slice(0, 10)}T${value.slice(11, 19) || '00:00:00'}Z`))
  const style = attribute(attributes, 's') ?? column ?? '0'
  return textOfNumber(value, context.formats[Number(style)], context.has1904Dates)
}

function textOfNumber(stored: string, format: NumberFormat | undefined, has1904Dates: boolean): string {
  const number = Number(stored)
  if (!Number.isFinite(number)) return `#${stored}`
  const text = plainNumber(number)
  switch (format?.kind) {
    case 'date':
    case 'time': {
      const days = !has1904Dates && number < 60 ? number + 1 : number
      const ms = (has1904Dates ? epoch1904 : epoch1900) + Math.round(days * 86_400) * 1000
      return dateText(ms, format.kind === 'time')
    }
    case 'percent':
      return `${mark}${plainNumber(Math.round(number * 1e10) / 1e8)}%`
    case 'fraction':
      return `${mark}${text} (shown as a fraction)`
    case 'scaled':
      return `${mark}${text} (shown in thousands)`
    case 'zeros':
      if (!/^\d+$/.test(text)) return decorated + text
      return text.length < format.digits ? mark + text.padStart(format.digits, '0') : text
    case 'unit':
      return `${mark}${format.isBefore ? `${format.unit} ${text}` : `${text} ${format.unit}`}`
    case 'decorated':
      return decorated + text
    default:
      return /\.\d+$/.test(text) ? decorated + text : text
  }
}

/** A number as text. A number with 16 or more digits has lost digits, so it is shown with an exponent. */
function plainNumber(number: number): string {
  if (Math.abs(number) < 1e15) return String(Number(number.toPrecision(15)))
  return number.toExponential(5).toUpperCase()
}

function dateText(ms: number, hasTime = false): string {
  const iso = Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : ''
  // A year before 0 or after 9999 has a sign and six digits.
  if (!/^\d{4}-/.test(iso)) return '#DATE'
  return `${mark}${hasTime || ms % dayMs !== 0 ? iso.slice(0, 19).replace('T', ' ') : iso.slice(0, 10)}`
}

/** The stored value of a cell. The search for `<v>` is fast, and finds the value in the files of most programs. */
function valueText(content: string): string | undefined {
  const start = content.indexOf('<v>')
  const end = content.indexOf('</v>', start)
  if (start >= 0 && end >= 0) return content.slice(start + 3, end)
  const element = firstElement(content, 'v')
  return element && (element.content ?? '')
}

/** The text of all parts of a rich text. Phonetic hints are omitted. */
export function richText(content: string): string {
  const runs = elementsOf(withoutElements(content, 'rPh'), 't')
  return plainText(decodeXml([...runs].map(({ content = '' }) => content).join('')))
}

/** Replaces line breaks with spaces. A changed text gets the marker byte, so that it is not used as an ID. */
function plainText(text: string): string {
  const decoded = text.replace(/_x([\da-f]{4})_/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  const stored = decoded.replaceAll(mark, '')
  const isChanged = /[\r\n]/.test(stored.trim())
  return `${isChanged ? mark : ''}${stored.replace(/[\r\n]+/g, ' ')}`
}
