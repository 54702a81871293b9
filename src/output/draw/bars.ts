import type { Terminal } from '../view.ts'

/** A horizontal bar of `width` characters for a percentage, with half-character precision. */
export function gauge(percent: number, width: number, terminal: Terminal): string {
  const halves = Math.round((Math.min(100, Math.max(0, percent)) / 100) * width * 2)
  const filled = '━'.repeat(Math.floor(halves / 2)) + '╸'.repeat(halves % 2)
  return terminal.cyan(filled) + terminal.dim('─'.repeat(width - filled.length))
}
