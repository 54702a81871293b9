import { dayMs, isRealDate } from '../base/clock.ts'
import { UsageError } from '../base/errors.ts'
import { spanMs } from './values.ts'

export function isoDate(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && isRealDate(text)) return text
  throw new UsageError(`"${text}" is not a valid date (use YYYY-MM-DD, such as 1984-02-29)`)
}

const earliestBirthYear = 1900

/** Parses a date (YYYY-MM-DD) from 1900 to today. Throws a UsageError for any other text. */
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

function readDateTime(text: string, examples: string): { normal: string; zone: string } {
  const [, day, minutes = '00:00', seconds = ':00', zone = ''] = dateTimePattern.exec(text) ?? []
  if (day !== undefined && isRealDate(day)) return { normal: `${day}T${minutes}${seconds}${zone}`, zone }
  throw new UsageError(`"${text}" is not a valid date or time (examples: ${examples})`)
}

const namedTimes: Readonly<Record<string, (nowMs: number) => number>> = {
  now: (nowMs) => nowMs,
  today: startOfDay,
  yesterday: (nowMs) => startOfDay(nowMs) - dayMs,
}

function startOfDay(nowMs: number): number {
  return nowMs - (nowMs % dayMs)
}

/** Parses a date, a date and time with or without a time zone, `now`, `today`, `yesterday`, or a duration before now such as `7d`. */
export function dateTime(text: string): string {
  const nowMs = Date.now()
  const ago = spanMs(text)
  const named = namedTimes[text.toLowerCase()]?.(nowMs) ?? (ago && nowMs - ago)
  return named === undefined
    ? readDateTime(text, '2026-03-01, 2026-03-01T08:30:00, today, 7d').normal
    : printTime(named, text)
}

/** Prints a time in UTC. Refuses years with more than four digits, because the service does not accept them. */
function printTime(ms: number, text: string): string {
  if (ms >= firstTimeMs && ms <= lastTimeMs) return new Date(ms).toISOString()
  throw new UsageError(`"${text}" is too long (the time must be in the years 0001 to 9999)`)
}

const firstTimeMs = Date.parse('0001-01-01T00:00:00Z')
const lastTimeMs = Date.parse('9999-12-31T23:59:59Z')

/**
 * Parses a duration from now such as `2h`, or a date and time, which is in UTC if it has no time zone. The result is in UTC and contains no
 * time zone (spec 4.2).
 */
export function expiryTime(text: string): string {
  const ahead = spanMs(text)
  if (ahead !== undefined) return printTime(Date.now() + ahead, text).slice(0, 19)
  const { normal, zone } = readDateTime(text, '2h, 2026-03-01T08:30:00')
  if (zone === '') return normal
  return new Date(normal).toISOString().slice(0, 19)
}
