import { dayMs, formatDuration, hourMs, minuteMs, secondMs } from '../base/clock.ts'
import type { Terminal } from './view.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** A date such as `4 Mar 2026` in the local time zone. */
export function formatDate(epochMs: number): string {
  const date = new Date(epochMs)
  return `${date.getDate()} ${months[date.getMonth()]} ${date.getFullYear()}`
}

/** A date and time such as `4 Mar 09:30` in the local time zone. */
export function formatMoment(epochMs: number): string {
  const date = new Date(epochMs)
  return `${date.getDate()} ${months[date.getMonth()]} ${formatClock(epochMs)}`
}

/** A time such as `09:30` in the local time zone. */
export function formatClock(epochMs: number): string {
  const date = new Date(epochMs)
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
}

/** A relative time such as `3 h ago` or `in 5 h 30 min`. A date if the time is more than 30 days away. */
export function formatRelative(epochMs: number, nowMs: number): string {
  const distance = nowMs - epochMs
  if (Math.abs(distance) > 30 * dayMs) return formatDate(epochMs)
  if (distance < 0) return distance > -secondMs ? 'now' : `in ${formatDuration(-distance)}`
  if (distance < minuteMs) return 'just now'
  if (distance < hourMs) return `${Math.floor(distance / minuteMs)} min ago`
  if (distance < dayMs) return `${Math.floor(distance / hourMs)} h ago`
  const days = Math.floor(distance / dayMs)
  return days === 1 ? '1 day ago' : `${days} days ago`
}

/** Expiry for a note: on a terminal, the remaining time and the local time; otherwise RFC 3339. */
export function formatExpiry(epochMs: number, { isTTY, now }: Terminal): string {
  if (!isTTY) return `at ${new Date(epochMs).toISOString()}`
  const relative = formatRelative(epochMs, now)
  return relative.startsWith('in ') ? `${relative} (${formatMoment(epochMs)} local time)` : relative
}

/** A relative time on a terminal. RFC 3339 in other output. Text that is not a time stays unchanged. */
export function formatTime(value: unknown, terminal: Terminal): string {
  const epochMs = epochMsOf(value)
  if (epochMs === undefined) return value === null || value === undefined ? '' : String(value)
  if (terminal.isTTY) return formatRelative(epochMs, terminal.now)
  return typeof value === 'string' ? value : new Date(epochMs).toISOString()
}

/** Milliseconds since 1970, from an ISO 8601 text, a Date, or a number of milliseconds. */
export function epochMsOf(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && !(value instanceof Date)) return undefined
  const epochMs = new Date(value).getTime()
  return Number.isNaN(epochMs) ? undefined : epochMs
}
