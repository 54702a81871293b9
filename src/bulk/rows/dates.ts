import { isRealDate } from '../../base/clock.ts'
import { UsageError } from '../../base/errors.ts'
import type { Question } from '../questions.ts'
import { shownMark } from '../scan/cell-bytes.ts'
import { type Cells, trimmedText } from '../scan/cells.ts'
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

/** Removes the time 00:00, which databases and spreadsheets add to dates. */
function withoutMidnight(text: string): string {
  return text.replace(/[ T](0?0:00(:00(\.0+)?)?|12:00(:00)? ?a\.?m\.?)Z?$/i, '')
}

/** The date as YYYY-MM-DD. Undefined if the text does not have the format or the date does not exist. */
function readDate(text: string, pattern: RegExp): string | undefined {
  const { day = '', month = '', year = '' } = pattern.exec(text)?.groups ?? {}
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isoDate.test(date) && isRealDate(date) ? date : undefined
}

/** Converts dates to YYYY-MM-DD. Without a format, a date in another form stays unchanged, and the check of the field then refuses it. */
export function dateConverter(
  name: string,
  format: string | undefined,
  mapped: Readonly<Record<string, string>>,
) {
  if (format === undefined) return (text: string) => ({ text: mapped[text] ?? withoutMidnight(text) })
  const pattern = datePattern(format)
  if (!pattern) throw new UsageError(`--date-format "${format}" is not valid (example: DD-MM-YYYY)`)
  return (text: string) => {
    const date = mapped[text] ?? readDate(withoutMidnight(text), pattern)
    return date === undefined
      ? { problem: `${name} "${text}" is not a date in the form ${format}` }
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

/**
 * Maximum number of different texts that can stand for a missing date, such as NULL. If there are more, they are reported as texts that are
 * not dates.
 */
const maxNoValues = 10

interface Format {
  order: string
  format: string
  pattern: RegExp
  fits: number
}

/** Finds the formats that match the dates of a column. */
export class DateSurvey {
  private readonly name: string
  private readonly mapped: Readonly<Record<string, string>>
  private readonly isFormatKnown: boolean
  private isoDates = 0
  private dateCells = 0
  /** Texts for a missing date, such as NULL. */
  private readonly noValues = new Set<string>()
  /** Number of texts that are not dates. */
  private texts = 0
  private text = ''
  private shortYear: string | undefined
  /** Number of dates that do not have the form YYYY-MM-DD. */
  private dates = 0
  private first = ''
  /** The first date after which no format fits all dates. */
  private conflict = ''
  /** The formats to try, by the signs between the numbers. */
  private readonly formats = new Map<string, readonly Format[]>()

  constructor(name: string, { dateFormat, values = {} }: Reading) {
    this.name = name
    this.mapped = values[name] ?? {}
    this.isFormatKnown = dateFormat !== undefined
  }

  note(cells: Cells, column: number): void {
    const from = cells.starts[column] as number
    if (cells.bytes[from - 1] === shownMark) this.dateCells++
    if (isIsoDateAt(cells.bytes, from, cells.ends[column] as number)) {
      // Most cells contain YYYY-MM-DD, which is checked without creating a text, because that would be slow.
      this.isoDates++
      return
    }
    const text = withoutMidnight(trimmedText(cells.text(column)))
    if (text === '') return
    const [, start = '', before = '', , after = '', end = '', last = ''] = threeNumbers.exec(text) ?? []
    if (isoDate.test(text)) this.isoDates++
    else if (before !== '' && start.length < 4 && end.length < 4) this.shortYear ??= text
    else if (before !== '' || compact.test(text)) this.noteDate(text, [before, after, last])
    else this.noteText(text)
  }

  private noteText(text: string): void {
    if (noValue.test(text) && this.noValues.size < maxNoValues) this.noValues.add(text)
    else {
      this.texts++
      this.text ||= text
    }
  }

  private noteDate(text: string, signs: Signs): void {
    const key = signs.join('\n')
    const formats = this.formats.get(key) ?? formatsWith(signs)
    const fitting = formats.filter(({ pattern }) => readDate(text, pattern) !== undefined)
    if (fitting.length === 0) {
      this.noteText(text)
      return
    }
    this.formats.set(key, formats)
    this.first ||= text
    this.dates++
    for (const format of fitting) format.fits++
    if (formats.every(({ fits }) => fits < this.dates)) this.conflict ||= text
  }

  questions(column: string): Question[] {
    return [...this.noValueQuestion(column), ...this.dateQuestion(column)]
  }

  private noValueQuestion(column: string): Question[] {
    const texts = [...this.noValues].filter((text) => this.mapped[text] === undefined)
    if (texts.length === 0) return []
    const values = { [this.name]: Object.fromEntries(texts.map((text) => [text, ''])) }
    const listed = texts.map((text) => `"${text}"`).join(', ')
    const prompts = [{ label: `${column} ${listed} is`, choices: [{ name: 'no date', set: { values } }] }]
    return [
      { problem: `column "${column}" has no date in cells with ${listed}`, suggested: { values }, prompts },
    ]
  }

  private dateQuestion(column: string): Question[] {
    const { first, conflict, shortYear } = this
    if (this.isFormatKnown) return []
    const refuse = (problem: string): Question[] => [{ problem: `column "${column}" ${problem}` }]
    if (this.dateCells > 0 && first !== '')
      return refuse(
        `has cells with dates, and texts such as "${first}". A program with a different date format has probably swapped days and months: export it again`,
      )
    if (shortYear !== undefined)
      return refuse(`has dates with a two-digit year, such as ${shortYear}; use four digits`)
    if (this.texts > (this.isoDates + this.dates) / 2)
      return refuse(`has values that are not dates, such as "${this.text}"; write dates as YYYY-MM-DD`)
    if (this.dates === 0) return []
    // If the column also contains dates such as 2026-01-05, only formats that start with the year fit.
    const fits = [...this.formats.values()]
      .flat()
      .filter((one) => one.fits === this.dates && (this.isoDates === 0 || /^YYYY-/.test(one.format)))
    // A format with DD is preferred to the same format with D, which also accepts one digit.
    const formats = fits.filter((one, at) => fits.findIndex(({ order }) => order === one.order) === at)
    const [only] = formats
    if (!only)
      return refuse(
        `has dates in several forms, such as ${first}${conflict && ` and ${conflict}`}. Days and months may have been swapped: export it again`,
      )
    const prompts = [{ label: `Form of the dates in ${column}`, choices: choicesOf(formats, first) }]
    if (formats.length > 1)
      return [{ problem: `dates in column "${column}" can be read in several ways`, prompts }]
    const suggested = { dateFormat: only.format }
    return [{ problem: `dates in column "${column}" are in the form ${only.format}`, suggested, prompts }]
  }
}

function choicesOf(formats: readonly Format[], example: string) {
  return formats.map(({ format, pattern }) => {
    const date = readDate(example, pattern)
    return { name: date ? `${example} is ${date}` : format, set: { dateFormat: format } }
  })
}

/** The signs after the three numbers of a date. */
type Signs = readonly [string, string, string]

function formatsWith([first, second, last]: Signs): Format[] {
  const digits = first === '' ? [['DD', 'MM'] as const] : [['DD', 'MM'] as const, ['D', 'M'] as const]
  return digits.flatMap(([day, month]) =>
    [
      { order: 'DMY', tokens: [day, month, 'YYYY'] },
      { order: 'MDY', tokens: [month, day, 'YYYY'] },
      { order: 'YMD', tokens: ['YYYY', month, day] },
    ].flatMap(({ order, tokens: [one, two, three] }) => {
      const format = `${one}${first}${two}${second}${three}${last}`
      const pattern = datePattern(format)
      return pattern ? [{ order, format, pattern, fits: 0 }] : []
    }),
  )
}
