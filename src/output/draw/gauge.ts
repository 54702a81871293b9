import type { Pen } from '../view.ts'

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const

export interface GaugeOptions {
  /** Characters. */
  width: number
  /** A percentage to mark with a line, such as the average. */
  mark?: number
}

/** The filled part of a bar in eighths of a character, padded with a track. */
function bar(percent: number, width: number): { filled: string; track: string } {
  const units = Math.round((Math.min(100, Math.max(0, percent)) / 100) * width * eighths.length)
  const filled = '█'.repeat(Math.floor(units / eighths.length)) + eighths[units % eighths.length]
  return { filled, track: '─'.repeat(width - filled.length) }
}

/** A bar for a percentage. The mark stands out of the filled part as well as out of the track. */
export function gauge(percent: number, { width, mark }: GaugeOptions, pen: Pen): string {
  const { filled, track } = bar(percent, width)
  const paint = (from: number, to?: number) =>
    pen.cyan(filled.slice(from, to)) +
    pen.dim(track.slice(Math.max(0, from - filled.length), to && Math.max(0, to - filled.length)))
  if (mark === undefined) return paint(0)
  const position = Math.min(width - 1, Math.floor((mark / 100) * width))
  return `${paint(0, position)}┃${paint(position + 1)}`
}
