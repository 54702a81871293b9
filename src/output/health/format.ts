import { rounded } from '../cell.ts'
import { paragraph } from '../text.ts'
import type { Terminal } from '../view.ts'

/** A number from a response. Some services write numbers as text. Any other value counts as missing. */
export function numberOrUndefined(value: unknown): number | undefined {
  if (typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value)) return Number(value)
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** The difference of two values, as an arrow and a number or in words. Empty if a value is missing. */
export function formatChange(
  current: number | undefined,
  previous: number | undefined,
  terminal: Terminal,
): string {
  if (current === undefined || previous === undefined) return ''
  const difference = rounded(current - previous)
  if (difference === 0) return terminal.pictures ? '=' : 'unchanged'
  const [rise, fall] = terminal.pictures ? ['▲', '▼'] : ['up', 'down']
  return `${difference > 0 ? rise : fall} ${Math.abs(difference)}`
}

/** States that the zones or directions are reference values of facescan, not of the service. */
export function referenceLine(source: string, terminal: Terminal): string {
  return terminal.dim(paragraph(`${source} Not medical advice.`, terminal))
}

export function zonesLine(terminal: Terminal): string {
  return referenceLine('Zones are defined by this tool, not by the service.', terminal)
}
