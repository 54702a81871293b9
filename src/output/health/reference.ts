import { paragraph } from '../text.ts'
import type { Pen } from '../view.ts'

/** A line below zones or directions, which the service does not return. `subject` is for example `Zones`. */
export function referenceLine(subject: string, pen: Pen): string {
  return pen.dim(paragraph(`${subject}: this tool’s reference, not the service’s. Not medical advice.`, pen))
}
