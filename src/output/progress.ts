import { span } from '../base/clock.ts'
import type { Output } from '../base/io.ts'
import { count } from '../base/text.ts'
import { escapeControls, gauge, truncate, widthOf } from './text.ts'
import type { Terminal } from './view.ts'

export interface ProgressReport {
  done: number
  total: number
  /** Plural of the counted items, such as `rows`. */
  unit: string
  /** Number of items per second. */
  rate: number
  /** Minimum remaining time in ms. If the time that is calculated from the rate is shorter, this minimum is shown instead. */
  leastLeftMs?: number
  /** Reasons why the work has stopped. They are shown instead of the rate. */
  problems: readonly string[]
  /** Details to show if there is space, the most important first. */
  details: readonly string[]
}

export interface Progress {
  /** While a report is shown, texts are ignored, because a text describes only one request, but several requests can wait. */
  show(progress: string | ProgressReport): void
  /** Removes the progress line before other text is written. If `text` is set, removes it only if it shows this text. */
  clear(text?: string): void
}

const clearLine = '\r\x1b[2K'
const barWidth = 20
const gap = '  '

/** A line on stderr that is updated in place. */
export function createProgress(stderr: Output, terminal: Terminal): Progress {
  let shown = ''
  let isReport = false
  return {
    show(progress) {
      const isText = typeof progress === 'string'
      const line = isText ? drawText(progress, terminal) : drawReport(progress, terminal)
      if (line === shown || (isText && isReport)) return
      isReport = !isText
      shown = line
      stderr.write(clearLine + line)
    },
    clear(text) {
      if (text !== undefined && drawText(text, terminal) !== shown) return
      if (shown !== '') stderr.write(clearLine)
      isReport = false
      shown = ''
    },
  }
}

/** Fits the text to the line. The last column stays empty, because some terminals start a new line after it. */
function drawText(text: string, terminal: Terminal): string {
  return terminal.dim(truncate(escapeControls(text).replaceAll('\n', ' '), terminal.width - 1))
}

export function describeProgress(report: ProgressReport): string {
  const { done, total, unit, problems, details } = report
  const counts = `${count(done)} of ${count(total)} ${unit} (${percentOf(report)})`
  return [counts, ...problems, ...describePace(report), ...details].join(', ')
}

/** The percentage. 100% appears only at the end, so 9,999 of 10,000 rows do not look complete. */
function percentOf({ done, total }: ProgressReport): string {
  return `${total === 0 ? 100 : Math.floor((100 * done) / total)}%`
}

/** The rate and the time left. Empty while a problem stops the work. */
function describePace({ done, total, unit, rate, leastLeftMs = 0, problems }: ProgressReport): string[] {
  if (problems.length > 0) return []
  const seconds = Math.max((total - done) / rate, leastLeftMs / 1000)
  const left = rate > 0 && done < total ? [`${span(seconds)} left`] : []
  return [`${count(Math.round(rate))} ${unit}/s`, ...left]
}

function drawReport(report: ProgressReport, terminal: Terminal): string {
  const { done, total, unit, problems, details } = report
  const bar = gauge(total === 0 ? 100 : (100 * done) / total, barWidth, terminal)
  const parts = [
    ...problems.map(terminal.yellow),
    ...describePace(report),
    ...[`${count(done)} of ${count(total)} ${unit}`, ...details].map(terminal.dim),
  ]
  let line = `${bar} ${terminal.bold(percentOf(report).padStart(4))}`
  for (const part of parts) {
    if (widthOf(line + gap + part) >= terminal.width) break
    line += gap + part
  }
  return line
}
