import type { Terminal } from '../view.ts'

/** Width of a gauge in characters. `others` is the width of the other columns. */
export function gaugeWidth(terminal: Terminal, others = 50): number {
  return Math.max(10, Math.min(30, terminal.width - others))
}

/** The filled part of a bar, with half-character precision, and the empty part. */
function bar(percent: number, width: number): { filled: string; track: string } {
  const halves = Math.round((Math.min(100, Math.max(0, percent)) / 100) * width * 2)
  const filled = '━'.repeat(Math.floor(halves / 2)) + '╸'.repeat(halves % 2)
  return { filled, track: '─'.repeat(width - filled.length) }
}

/**
 * A horizontal bar of `width` characters for a percentage. `mark` is another percentage that is marked with a line, such as the average.
 */
export function gauge(
  percent: number,
  { width, mark }: { width: number; mark?: number },
  terminal: Terminal,
): string {
  const { filled, track } = bar(percent, width)
  const line = filled + track
  const paint = (from: number, to: number) =>
    terminal.cyan(line.slice(from, Math.min(to, filled.length))) +
    terminal.dim(line.slice(Math.max(from, filled.length), to))
  if (mark === undefined) return paint(0, width)
  const position = Math.min(width - 1, Math.floor((mark / 100) * width))
  return `${paint(0, position)}┃${paint(position + 1, width)}`
}

const levels = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const

/** A sparkline with one character per value, scaled from the lowest to the highest value. A missing value is a space. */
export function sparkline(values: readonly (number | undefined)[]): string {
  const known = values.filter((value) => value !== undefined)
  const low = Math.min(...known)
  const span = Math.max(...known) - low
  return values
    .map((value) => {
      if (value === undefined) return ' '
      const level = span === 0 ? 3 : Math.round(((value - low) / span) * (levels.length - 1))
      return levels[level] ?? ' '
    })
    .join('')
}
