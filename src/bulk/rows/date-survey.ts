import type { Question } from '../questions.ts'
import { datePattern } from './flag-values.ts'

const isoDate = /^\d{4}-\d{2}-\d{2}$/
const parts = /^(\d{1,4})([-/. ])(\d{1,2})\2(\d{1,4})$/
const compact = /^\d{8}$/

type Order = 'DMY' | 'MDY' | 'YMD'

/** Databases and spreadsheets add a time to dates. */
export function withoutMidnight(text: string): string {
  return text.replace(/[ T]00:00(:00(\.0+)?)?Z?$/, '')
}

/** The date as YYYY-MM-DD, or undefined if the text does not have the format or the date does not exist. */
export function readDate(text: string, pattern: RegExp): string | undefined {
  const { day = '', month = '', year = '' } = pattern.exec(text)?.groups ?? {}
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(date) ? date : undefined
}

const formats: Readonly<Record<Order, (d: string, m: string, s: string) => string>> = {
  DMY: (d, m, s) => `${d}${s}${m}${s}YYYY`,
  MDY: (d, m, s) => `${m}${s}${d}${s}YYYY`,
  YMD: (d, m, s) => `YYYY${s}${m}${s}${d}`,
}

const tokenPairs = [
  ['DD', 'MM'],
  ['D', 'M'],
] as const

/** Finds the formats that fit all dates of a column. */
export class DateSurvey {
  private first: string | undefined
  private isIso = true
  private hasIso = false
  private hasShortYear = false
  private candidates: { order: Order; format: string; pattern: RegExp }[] | undefined

  note(cell: string): void {
    const text = withoutMidnight(cell)
    if (text === '') return
    if (isoDate.test(text)) {
      this.hasIso = true
      return
    }
    this.isIso = false
    const [, start = '', separator = '', , end = ''] = parts.exec(text) ?? []
    this.hasShortYear ||= separator !== '' && start.length < 4 && end.length < 4
    this.first ??= text
    this.candidates ??= candidatesWith(separator, compact.test(text))
    this.candidates = this.candidates.filter(({ pattern }) => readDate(text, pattern) !== undefined)
  }

  questions(column: string): Question[] {
    if (this.isIso || this.first === undefined) return []
    const { first } = this
    // A date with leading zeros fits the formats that start with the year.
    const candidates = (this.candidates ?? []).filter(({ format }) => !this.hasIso || /^YYYY-/.test(format))
    // The format with two digits is preferred to the one that accepts one digit too.
    const fitting = candidates.filter(
      (one, at) => candidates.findIndex(({ order }) => order === one.order) === at,
    )
    const [only] = fitting
    if (only && fitting.length === 1)
      return [
        {
          problem: `dates in column "${column}" are in the form ${only.format}`,
          flags: [flagFor(only.format)],
        },
      ]
    const readings = fitting.map(
      ({ format, pattern }) => `${flagFor(format)} (${first} is ${readDate(first, pattern)})`,
    )
    if (readings.length > 1)
      return [
        { problem: `dates in column "${column}" can be read in several ways: ${readings.join(' or ')}` },
      ]
    if (!this.hasShortYear) return []
    return [
      { problem: `column "${column}" has dates with a two-digit year, such as ${first}; use four digits` },
    ]
  }
}

function flagFor(format: string): string {
  return `--date-format ${/ /.test(format) ? `'${format}'` : format}`
}

function candidatesWith(separator: string, isCompact: boolean) {
  if (separator === '' && !isCompact) return []
  return (Object.keys(formats) as Order[]).flatMap((order) =>
    (isCompact ? tokenPairs.slice(0, 1) : tokenPairs).flatMap(([day, month]) => {
      const format = formats[order](day, month, separator)
      const pattern = datePattern(format)
      return pattern ? [{ order, format, pattern }] : []
    }),
  )
}
