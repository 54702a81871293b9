import type { Pen } from '../view.ts'
import { formatNumber, rounded } from './number.ts'

/** How a value moved: an arrow and the distance, or the same in words; nothing where there is no earlier value. */
export function formatChange(current: number | undefined, previous: number | undefined, pen: Pen): string {
  if (current === undefined || previous === undefined) return ''
  const distance = rounded(current - previous)
  if (distance === 0) return pen.pictures ? '=' : 'unchanged'
  const rises = distance > 0
  const size = formatNumber(Math.abs(distance))
  if (!pen.pictures) return `${rises ? 'up' : 'down'} ${size}`
  return `${rises ? '▲' : '▼'} ${size}`
}
