import { isRealDate } from '../../base/clock.ts'
import { UsageError } from '../../base/errors.ts'
import { own } from '../../base/functions.ts'
import type { Evidence, Question, SurveyedColumn } from '../questions.ts'
import { type Cells, shownMark, trimmedText } from '../scan/cells.ts'
import type { Reading } from '../types.ts'
import { datePattern, noValue } from './flag-values.ts'

const dash = 0x2d
const isoDate = /^\d{4}-\d{2}-\d{2}$/
/** Three numbers with any separators, such as `13. 5. 1990` and `1990年5月13日`. */
const threeNumbers = /^(\d{1,4})([^\dA-Za-z]+)(\d{1,2})([^\dA-Za-z]+)(\d{1,4})([^\dA-Za-z]*)$/
const compact = /^\d{8}$/
const compactDate = /^(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/

/** Whether a text is probably a date, in any order of day, month, and year. */
export function isDateLike(text: string): boolean {
  return isoDate.test(text) || compactDate.test(text) || threeNumbers.test(withoutMidnight(text))
}

function hasShortYear(text: string): boolean {
  const [, start = '0000', , , , end = ''] = threeNumbers.exec(text) ?? []
  return start.length < 4 && end.length < 4
}

/** Removes the time 00:00, which databases and spreadsheets add to dates. */
function withoutMidnight(text: string): string {
  return text.replace(/[ T](0?0:00(:00(\.0+)?)?|12:00(:00)? ?a\.?\s?m\.?)Z?$/i, '')
}

/** The date as YYYY-MM-DD. Undefined if the text has another format, or if the date does not exist. */
function readDate(text: string, pattern: RegExp): string | undefined {
  const { day = '', month = '', year = '' } = pattern.exec(text)?.groups ?? {}
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isoDate.test(date) && isRealDate(date) ? date : undefined
}

/** Converts dates to YYYY-MM-DD. If `format` is undefined, dates in other forms stay unchanged, and the check of the field refuses them. */
export function dateConverter(
  name: string,
  format: string | undefined,
  mapped: Readonly<Record<string, string>>,
) {
  if (format === undefined) return (text: string) => ({ text: own(mapped, text) ?? withoutMidnight(text) })
  const pattern = datePattern(format)
  if (!pattern) throw new UsageError(`--date-format "${format}" is not valid (example: DD-MM-YYYY)`)
  return (text: string) => {
    const date = own(mapped, text) ?? readDate(withoutMidnight(text), pattern)
    return date === undefined
      ? { problem: `${name} "${text}" is not a date in the format ${format}` }
      : { text: date }
  }
}

function isIsoDateAt(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from !== 10 || bytes[from + 4] !== dash || bytes[from + 7] !== dash) return false
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number
    if ((byte < 0x30 || byte > 0x39) && byte !== dash) return false
  }
  return true
}

/** Maximum number of different texts that can mean a missing date, such as NULL. Any further text is an invalid date. */
const maxNoValues = 10

interface Format {
  order: number
  format: string
  pattern: RegExp
}

/** Finds the formats that match the dates of a column. */
export class DateSurvey implements Evidence {
  private readonly column: SurveyedColumn
  private readonly mapped: Readonly<Record<string, string>>
  private readonly isFormatKnown: boolean
  private isoDates = 0
  /** Whether the column contains date cells of a workbook. */
  private hasDateCells = false
  /** Texts for a missing date, such as NULL. */
  private readonly noValues = new Set<string>()
  /** Number of cells with a text that is not a date, and the first such text. */
  private readonly texts = { cells: 0, first: '' }
  /** Number of cells with a date that does not have the form YYYY-MM-DD, and the first such date. */
  private readonly dates = { cells: 0, first: '' }
  /** The formats that fit all dates so far. */
  private formats: readonly Format[] = []
  /** The first date that fits none of the formats of the earlier dates. */
  private conflict = ''
  private shortYear: string | undefined

  constructor(column: SurveyedColumn, { dateFormat, values = {} }: Reading) {
    this.column = column
    this.mapped = values[column.field] ?? {}
    this.isFormatKnown = dateFormat !== undefined
  }

  note(cells: Cells): void {
    const { at } = this.column
    const from = cells.starts[at] as number
    this.hasDateCells ||= cells.bytes[from - 1] === shownMark
    // Most cells contain YYYY-MM-DD. For these cells, the fast check creates no text.
    const isIso = isIsoDateAt(cells.bytes, from, cells.ends[at] as number)
    const text = isIso ? '' : withoutMidnight(trimmedText(cells.text(at)))
    if (isIso || isoDate.test(text)) this.isoDates++
    else if (hasShortYear(text)) this.shortYear ??= text
    else if ((compact.test(text) || threeNumbers.test(text)) && this.fits(text)) count(this.dates, text)
    else if (noValue.test(text) && this.noValues.size < maxNoValues) this.noValues.add(text)
    else if (text !== '') count(this.texts, text)
  }

  /** Keeps the formats that also fit this text. Returns false if the text is not a date in any format. */
  private fits(text: string): boolean {
    if (this.conflict !== '') return true
    const isFirst = this.dates.cells === 0
    const fitting = isFirst
      ? formatsOf(text)
      : this.formats.filter(({ pattern }) => readDate(text, pattern) !== undefined)
    if (fitting.length === 0) {
      if (isFirst || formatsOf(text).length === 0) return false
      this.conflict = text
    }
    this.formats = fitting
    return true
  }

  questions(): Question[] {
    return [...this.noValueQuestion(), ...(this.isFormatKnown ? [] : this.dateQuestion())]
  }

  private noValueQuestion(): Question[] {
    const { field, name } = this.column
    const texts = [...this.noValues].filter((text) => this.mapped[text] === undefined)
    if (texts.length === 0) return []
    const values = { [field]: Object.fromEntries(texts.map((text) => [text, ''])) }
    const listed = texts.map((text) => `"${text}"`).join(', ')
    const prompts = [{ label: `${name} ${listed} is`, choices: [{ name: 'no date', set: { values } }] }]
    return [
      { problem: `column "${name}" has no date in cells with ${listed}`, suggested: { values }, prompts },
    ]
  }

  private dateQuestion(): Question[] {
    const { name } = this.column
    const { first } = this.dates
    const problem = this.whyNoFormat()
    if (problem !== undefined) return [{ problem: `column "${name}" ${problem}` }]
    if (first === '') return []
    const formats = this.likelyFormats()
    const choices = formats.map(({ format, pattern }) => ({
      name: `${first} is ${readDate(first, pattern)}`,
      set: { dateFormat: format },
    }))
    const prompts = [{ label: `Date format in ${name}`, choices }]
    const [only, other] = formats
    if (!only || other) return [{ problem: `dates in column "${name}" can be read in several ways`, prompts }]
    const suggested = { dateFormat: only.format }
    return [{ problem: `dates in column "${name}" are in the format ${only.format}`, suggested, prompts }]
  }

  /** The reason why no format can be chosen for the column. A person must then correct the file. */
  private whyNoFormat(): string | undefined {
    const { dates, texts, conflict, shortYear } = this
    if (this.hasDateCells && dates.first !== '')
      return `has cells with dates, and texts such as "${dates.first}". A program with a different date format has probably swapped days and months: export the file again`
    if (shortYear !== undefined)
      return `has dates with a two-digit year, such as ${shortYear}; use four digits`
    if (texts.cells > (this.isoDates + dates.cells) / 2)
      return `has values that are not dates, such as "${texts.first}"; write dates as YYYY-MM-DD`
    if (dates.first === '' || this.likelyFormats().length > 0) return undefined
    return `has dates in several formats, such as ${dates.first}${conflict && ` and ${conflict}`}. Days and months may have been swapped: export the file again`
  }

  private likelyFormats(): Format[] {
    // If the column also contains dates such as 2026-01-05, only formats that start with the year fit.
    const fits = this.formats.filter(({ format }) => this.isoDates === 0 || format.startsWith('YYYY-'))
    // A format with DD is preferred over the same format with D, because D also accepts one digit.
    return fits.filter((one, at) => fits.findIndex(({ order }) => order === one.order) === at)
  }
}

function count(found: { cells: number; first: string }, text: string): void {
  found.cells++
  found.first ||= text
}

const tokenOrders = ['DD MM YYYY', 'MM DD YYYY', 'YYYY MM DD', 'D M YYYY', 'M D YYYY', 'YYYY M D']

/** The formats that fit a date and its separators. Formats with DD come first. */
function formatsOf(text: string): Format[] {
  const [, , first = '', , second = '', , last = ''] = threeNumbers.exec(text) ?? []
  return tokenOrders.flatMap((tokens, at) => {
    const [start, middle, end] = tokens.split(' ')
    const format = `${start}${first}${middle}${second}${end}${last}`
    const pattern = datePattern(format)
    // A year that does not start with 19 or 20 is not accepted: it is from another calendar (2523 in Thailand), or the digits were read
    // in the wrong order.
    const isYear = pattern && /^(?:19|20)/.test(readDate(text, pattern) ?? '')
    return isYear ? [{ order: at % 3, format, pattern }] : []
  })
}
