import { rounded } from '../cell.ts'
import { paragraph } from '../text.ts'
import type { Pen } from '../view.ts'

/** A number from a response. Any other value counts as missing. */
export function numberOrUndefined(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** The difference of two values, as an arrow and a number or in words. Empty if a value is missing. */
export function formatChange(current: number | undefined, previous: number | undefined, pen: Pen): string {
  if (current === undefined || previous === undefined) return ''
  const difference = rounded(current - previous)
  if (difference === 0) return pen.pictures ? '=' : 'unchanged'
  const [rise, fall] = pen.pictures ? ['▲', '▼'] : ['up', 'down']
  return `${difference > 0 ? rise : fall} ${Math.abs(difference)}`
}

/** States that the zones or directions are reference values of facescan, not of the service. */
export function referenceLine(source: string, pen: Pen): string {
  return pen.dim(paragraph(`${source} Not medical advice.`, pen))
}

export function zonesLine(pen: Pen): string {
  return referenceLine('Zones are defined by this tool, not by the service.', pen)
}
