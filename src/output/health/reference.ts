import { paragraph } from '../text.ts'
import type { Pen } from '../view.ts'

/** The source of zones or directions, which the service does not return. */
export function referenceLine(source: string, pen: Pen): string {
  return pen.dim(paragraph(`${source} Not medical advice.`, pen))
}

export function zonesLine(pen: Pen): string {
  return referenceLine('Zones are defined by this tool, not by the service.', pen)
}
