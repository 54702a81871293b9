import type { Pen } from '../view.ts'
import { formatNumber, rounded } from './number.ts'

/** The difference of two values as an arrow and a number, or in words. Empty if a value is missing. */
export function formatChange(current: number | undefined, previous: number | undefined, pen: Pen): string {
  if (current === undefined || previous === undefined) return ''
  const difference = rounded(current - previous)
  if (difference === 0) return pen.pictures ? '=' : 'unchanged'
  const rises = difference > 0
  const size = formatNumber(Math.abs(difference))
  if (!pen.pictures) return `${rises ? 'up' : 'down'} ${size}`
  return `${rises ? '▲' : '▼'} ${size}`
}
