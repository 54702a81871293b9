import { paragraph } from '../text.ts'
import type { Pen } from '../view.ts'

/** States that the zones or directions come from this tool and not from the service. */
export function referenceLine(source: string, pen: Pen): string {
  return pen.dim(paragraph(`${source} Not medical advice.`, pen))
}

export function zonesLine(pen: Pen): string {
  return referenceLine('Zones are defined by this tool, not by the service.', pen)
}
