import { isRealDate } from '../base/clock.ts'
import { UsageError } from '../base/errors.ts'
import { didYouMean } from '../base/nearest.ts'
import { isTimeZone, uuidPattern } from '../contract/values.ts'
import type { Parser } from './options.ts'

/** Parsers for option values. A parser throws a UsageError that describes the problem, and its caller adds the name of the flag. */

/** A UUID, with or without dashes. */
export function uuid(text: string): string {
  if (uuidPattern.test(text)) return text
  throw new UsageError(`"${text}" is not a valid UUID (such as 5151d12e-2f9a-4d7a-962f-fd85d23bd68b)`)
}

export function oneOf<const Choice extends string>(choices: readonly Choice[]): Parser<Choice> {
  const parse = (text: string) => {
    const choice = choices.find((known) => known === text)
    if (choice !== undefined) return choice
    // A short word is similar to every short choice, so a suggestion would be arbitrary.
    const guess = text.length > 3 ? didYouMean(text, choices) : ''
    throw new UsageError(`"${text}" is not one of ${choices.join(', ')}${guess}`)
  }
  return Object.assign(parse, { choices })
}

/** Accepts one of these values or its name, in upper or lower case. */
export function oneNamed<const Choice extends string>(
  choices: readonly Choice[],
  names: { readonly [Name in Choice]?: string },
): Parser<Choice> {
  const parse = (text: string) => {
    const typed = text.toLowerCase()
    const choice = choices.find((known) =>
      [known, names[known]].some((word) => word?.toLowerCase() === typed),
    )
    return oneOf(choices)(choice ?? text)
  }
  return Object.assign(parse, { choices, names })
}

export function nonEmpty(text: string): string {
  if (text !== '') return text
  throw new UsageError('the value is empty')
}

/** The name of an output file. `-` is refused, because output without a file name is printed to stdout. */
export function outputFile(text: string): string {
  if (text !== '' && text !== '-') return text
  throw new UsageError(`"${text}" is not a file name`)
}

export function isoDate(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && isRealDate(text)) return text
  throw new UsageError(`"${text}" is not a valid date (use YYYY-MM-DD, such as 1984-02-29)`)
}

const earliestBirthYear = 1900

/** A date from 1900 to today. */
export function birthDate(text: string): string {
  const date = isoDate(text)
  if (Number(date.slice(0, 4)) < earliestBirthYear) {
    throw new UsageError(`"${text}" is not valid (must be ${earliestBirthYear}-01-01 or later)`)
  }
  if (Date.parse(date) > Date.now()) throw new UsageError(`"${text}" is in the future`)
  return date
}

const dateTimePattern =
  /^(\d{4}-\d{2}-\d{2})(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d)(:[0-5]\d(?:\.\d+)?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/

const unitsMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

function readDateTime(text: string, examples: string): { normal: string; zone: string } {
  const [, day, minutes = '00:00', seconds = ':00', zone = ''] = dateTimePattern.exec(text) ?? []
  if (day !== undefined && isRealDate(day)) return { normal: `${day}T${minutes}${seconds}${zone}`, zone }
  throw new UsageError(`"${text}" is not a valid date or time (examples: ${examples})`)
}

/** Names of points in time, in UTC. */
const namedTimes: Readonly<Record<string, (nowMs: number) => number>> = {
  now: (nowMs) => nowMs,
  today: startOfDay,
  yesterday: (nowMs) => startOfDay(nowMs) - unitsMs.d,
}

function startOfDay(nowMs: number): number {
  return nowMs - (nowMs % unitsMs.d)
}

/** A date, a date and time with or without a time zone, `now`, `today`, `yesterday`, or a duration before now such as `7d`. */
export function dateTime(text: string): string {
  const nowMs = Date.now()
  const ago = spanMs(text)
  const named = namedTimes[text.toLowerCase()]?.(nowMs) ?? (ago && nowMs - ago)
  return named === undefined
    ? readDateTime(text, '2026-03-01, 2026-03-01T08:30:00, today, 7d').normal
    : printTime(named, text)
}

/** A time in UTC. Refuses years that need more than four digits, because no service accepts them. */
function printTime(ms: number, text: string): string {
  if (ms >= firstTimeMs && ms <= lastTimeMs) return new Date(ms).toISOString()
  throw new UsageError(`"${text}" is too long (the time must be in the years 0001 to 9999)`)
}

const firstTimeMs = Date.parse('0001-01-01T00:00:00Z')
const lastTimeMs = Date.parse('9999-12-31T23:59:59Z')

/** A future date and time without a time zone (spec 4.2), or a duration from now such as `2h`. The result is in UTC. */
export function expiryTime(text: string): string {
  const ahead = spanMs(text)
  if (ahead !== undefined) return printTime(Date.now() + ahead, text).slice(0, 19)
  const { normal, zone } = readDateTime(text, '2h, 2026-03-01T08:30:00')
  if (zone === '') return normal
  return new Date(normal).toISOString().slice(0, 19)
}

export function isInteger(text: string): boolean {
  return /^-?(0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(Number(text))
}

export function integer(text: string): number {
  if (isInteger(text)) return Number(text)
  throw new UsageError(`"${text}" is not a whole number`)
}

function atLeast(least: number): (text: string) => number {
  return (text) => {
    const value = integer(text)
    if (value >= least) return value
    throw new UsageError(`"${text}" is not valid (must be ${least} or more)`)
  }
}

export const wholeNumber = atLeast(0)
export const positiveInteger = atLeast(1)

export function atMost(most: number) {
  return (text: string): number => {
    const value = positiveInteger(text)
    if (value <= most) return value
    throw new UsageError(`"${text}" is more than the maximum of ${most}`)
  }
}

/** Maximum of a Node timer. */
const longestMs = 2 ** 31 - 1

/** The milliseconds of a duration with a unit. Undefined for any other text. */
function spanMs(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,9}(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * unitsMs[unit as keyof typeof unitsMs]
}

/** A duration such as 500ms, 30s, 15m, or 2h, in milliseconds. A number without a unit means seconds. */
export function duration(text: string): number {
  const ms = spanMs(text) ?? spanMs(`${text}s`) ?? 0
  if (ms > longestMs) throw new UsageError(`"${text}" is too long (maximum: 24 days)`)
  if (ms > 0) return ms
  throw new UsageError(`"${text}" is not a valid duration (examples: 500ms, 30s, 15m, 2h)`)
}

/** IANA time zone names. The list from Node does not contain UTC, and contains only the former names of some zones. */
export function timeZones(): string[] {
  return [...new Set(['UTC', 'Asia/Kolkata', 'Europe/Kyiv', ...Intl.supportedValuesOf('timeZone')])]
}

export function timeZone(text: string): string {
  if (isTimeZone(text)) return text
  const guess = didYouMean(text, timeZones())
  throw new UsageError(
    `"${text}" is not an IANA time zone name${guess || ' (such as Europe/Amsterdam or UTC)'}`,
  )
}

export function port(text: string): number {
  const value = wholeNumber(text)
  if (value <= 65_535) return value
  throw new UsageError(`"${text}" is not a valid port (0 to 65535; 0 selects a free port)`)
}

/** A probability from 0 to 1, such as 0.05. */
export function probability(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && value >= 0 && value <= 1) return value
  throw new UsageError(`"${text}" is not a valid probability (0 to 1, such as 0.05)`)
}
