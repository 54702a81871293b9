import { dayMs } from '../../base/text/duration.ts'
import { widthOf } from '../text.ts'
import { formatDate, formatMoment } from '../time.ts'

/** Round numbers in about `count` equal steps, from `low` or below to `high` or above. */
export function roundTicks(low: number, high: number, count: number): number[] {
  const size = Math.max(Math.abs(low), Math.abs(high), 1)
  // A difference this small is a rounding error.
  if (high - low < size * 1e-9) return roundTicks(low - size * 0.05, high + size * 0.05, count)
  const rough = high / count - low / count
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5].find((factor) => factor * magnitude >= rough) ?? 10) * magnitude
  const first = Math.floor(low / step)
  const last = Math.max(Math.ceil(high / step), first + 1)
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  )
}

/** The shortest date or time that distinguishes both ends of a span. */
function timeLabel(epochMs: number, spanMs: number): string {
  if (spanMs <= 2 * dayMs) return formatMoment(epochMs)
  const date = formatDate(epochMs)
  return spanMs <= 300 * dayMs ? date.replace(/ \d+$/, '') : date.replace(/^\d+ /, '')
}

export interface TimeAxis {
  /** The axis with its ticks. */
  line: string
  labels: string
}

/** A time axis of `width` characters, with a label at each end and as many labels between as fit. */
export function timeAxis(fromMs: number, toMs: number, width: number): TimeAxis {
  const spanMs = toMs - fromMs
  const date = formatDate(fromMs)
  if (spanMs === 0)
    return { line: '─'.repeat(width), labels: date.padStart(Math.floor((width + date.length) / 2)) }
  const widest = Math.max(widthOf(timeLabel(fromMs, spanMs)), widthOf(timeLabel(toMs, spanMs)))
  const count = Math.max(2, Math.min(7, Math.floor(width / (widest + 6))))
  const line = [...'─'.repeat(width)]
  const labels = [...' '.repeat(width)]
  for (let index = 0; index < count; index++) {
    const share = index / (count - 1)
    const column = Math.round(share * (width - 1))
    const label = timeLabel(fromMs + spanMs * share, spanMs)
    line[column] = '┬'
    const start = Math.max(0, Math.min(width - label.length, column - Math.floor(label.length / 2)))
    labels.splice(start, label.length, ...label)
  }
  return { line: line.join(''), labels: labels.join('').trimEnd() }
}
