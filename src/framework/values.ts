import { UsageError } from '../base/errors.ts'
import { didYouMean } from '../base/nearest.ts'
import { isTimeZone, uuidPattern } from '../contract/values.ts'
import type { Parser } from './options.ts'

/** Parsers for option values. They throw a UsageError that describes the problem. The caller adds the name of the flag. */

export function uuid(text: string): string {
  if (uuidPattern.test(text)) return text
  throw new UsageError(`"${text}" is not a valid UUID (such as 5151d12e-2f9a-4d7a-962f-fd85d23bd68b)`)
}

export function oneOf<const Choice extends string>(choices: readonly Choice[]): Parser<Choice> {
  const parse = (text: string) => {
    const choice = choices.find((known) => known === text)
    if (choice !== undefined) return choice
    // A short word is similar to every short choice, so no choice is suggested.
    const guess = text.length > 3 ? didYouMean(text, choices) : ''
    throw new UsageError(`"${text}" is not one of ${choices.join(', ')}${guess}`)
  }
  return Object.assign(parse, { choices })
}

/** Creates a parser that accepts a choice or its name, in upper or lower case, and returns the choice. */
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

/** The name of an output file. `-` is refused, because output goes to stdout if the flag is omitted. */
export function outputFile(text: string): string {
  if (text !== '' && text !== '-') return text
  throw new UsageError(`"${text}" is not a file name`)
}

/** The name of a PNG file. A name without an ending, or with an unknown ending, is accepted, because scripts use temporary files. */
export function pngFile(text: string): string {
  const [ending] = /\.(svg|jpe?g|gif|webp|bmp|tiff?|pdf|txt|csv|tsv|jsonl?|html?)$/i.exec(text) ?? []
  if (ending === undefined) return outputFile(text)
  throw new UsageError(`the file is a PNG image, so its name must not end with ${ending}; use .png`)
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

/** Maximum delay of a Node timer, in ms. */
const longestMs = 2 ** 31 - 1

const unitsMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** The milliseconds of a duration with a unit. Undefined for any other text. */
export function spanMs(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,9}(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * unitsMs[unit as keyof typeof unitsMs]
}

/** The milliseconds of a duration such as 500ms, 30s, 15m, or 2h. If a number has no unit, it means seconds. */
export function duration(text: string): number {
  const ms = spanMs(text) ?? spanMs(`${text}s`) ?? 0
  if (ms > longestMs) throw new UsageError(`"${text}" is too long (maximum: 24 days)`)
  if (ms > 0) return ms
  throw new UsageError(`"${text}" is not a valid duration (examples: 500ms, 30s, 15m, 2h)`)
}

/** Names of IANA time zones. Node's list lacks UTC, and contains only the former names of some zones. */
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

export function probability(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && value >= 0 && value <= 1) return value
  throw new UsageError(`"${text}" is not a valid probability (0 to 1, such as 0.05)`)
}
