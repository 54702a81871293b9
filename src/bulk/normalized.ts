import { countOf } from '../base/text.ts'
import type { Plan } from './schemas.ts'

type Read = Pick<Plan, 'normalized' | 'skipped' | 'encoding' | 'sheet'>

/** One sentence about what was changed or skipped while the file was read. Undefined if there is nothing to report. */
export function describeNormalized({ normalized, skipped, encoding, sheet }: Read): string | undefined {
  const { trimmed_cells, decimals, restored_ids, title_lines } = normalized
  const parts = [
    ...(trimmed_cells > 0 ? [`removed spaces from ${countOf(trimmed_cells, 'cell')}`] : []),
    ...(decimals > 0 ? [`read ${countOf(decimals, 'value')} such as 5.0 without decimals`] : []),
    ...(restored_ids > 0 ? [`restored the leading zeros of ${countOf(restored_ids, 'ID')}`] : []),
    ...(skipped > 0 ? [`skipped ${countOf(skipped, 'empty row')}`] : []),
    ...(title_lines > 0 ? [`skipped ${countOf(title_lines, 'line')} above the header`] : []),
    ...(encoding.startsWith('UTF-8') ? [] : [`read as ${encoding}`]),
    ...(sheet === undefined ? [] : [`read sheet ${sheet}`]),
  ]
  return parts.length === 0 ? undefined : parts.join(', ')
}
