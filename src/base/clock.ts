import { promisify } from 'node:util'

export interface Clock {
  /** Milliseconds since 1970. Jumps if the system clock is changed. */
  now(): number
  /** Milliseconds for measuring durations. Starts near `now()` and does not jump if the system clock is changed. */
  monotonic(): number
  /** Resolves after `ms` milliseconds. Rejects with the signal's reason if the signal is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Milliseconds of the monotonic clock. Faster than `performance`, which Node loads on first use. */
export function uptimeMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1e3 + nanoseconds / 1e6
}

/** Maximum delay of a timer in ms (24 days). Node runs a timer with a longer delay immediately. */
const longestTimerMs = 2 ** 31 - 1

const offsetMs = Date.now() - uptimeMs()

export const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => Math.round(offsetMs + uptimeMs()),
  sleep: (ms, signal) =>
    // promisify loads node:timers/promises only at the first sleep.
    promisify(setTimeout)(Math.min(ms, longestTimerMs), undefined, { signal }).catch(() => {
      throw signal?.reason
    }),
}

interface Backoff {
  firstMs: number
  longestMs: number
  /** A random number in [0, 1) for the length of the wait. Undefined: the maximum length. */
  random?: number
  /** The part of the wait that is random, from 0 to 1. If it is 1, the entire wait is random (full jitter). */
  jitter?: number
}

/** Exponential backoff with jitter. Returns the wait in ms before retry `n`. The first retry is 1. */
export function backoffMs(n: number, { firstMs, longestMs, random = 1, jitter = 0.5 }: Backoff): number {
  return Math.min(longestMs, firstMs * 2 ** (n - 1)) * (1 - jitter + jitter * random)
}

export const secondMs = 1000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

const units = [
  [dayMs, 'd'],
  [hourMs, 'h'],
  [minuteMs, 'min'],
  [secondMs, 's'],
] as const

/** A duration in its two largest units, such as `45 s` or `2 d 3 h`. A duration of an hour or more is rounded to minutes. */
export function formatDuration(ms: number): string {
  const whole = ms < hourMs ? ms : Math.round(ms / minuteMs) * minuteMs
  const first = units.findIndex(([size]) => whole >= size)
  if (first === -1) return '0 s'
  let rest = whole
  const parts = units.slice(first, first + 2).map(([size, name]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count === 0 ? '' : `${count} ${name}`
  })
  return parts.filter(Boolean).join(' ')
}

/** Like `formatDuration`, but rounded up to whole seconds. At least `1 s`. */
export function span(seconds: number): string {
  return formatDuration(Math.max(1, Math.ceil(seconds)) * secondMs)
}

/** Whether a date (YYYY-MM-DD) exists. Creates a Date only for the days 29 to 31, because that is slow for each row of a file. */
export function isRealDate(text: string): boolean {
  const [year, month, day] = [text.slice(0, 4), text.slice(5, 7), text.slice(8)].map(Number)
  if (year === undefined || month === undefined || day === undefined) return false
  if (!(month >= 1 && month <= 12 && day >= 1)) return false
  return day <= 28 || new Date(Date.UTC(2000 + (year % 400), month - 1, day)).getUTCDate() === day
}
