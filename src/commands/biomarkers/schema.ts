import * as z from 'zod'
import { biomarkerNames } from '../../contract/values.ts'

const side = { scans: z.int(), first: z.string().nullable(), last: z.string().nullable() }

/** Values are in the unit of the biomarker, and null if a side has no scans. */
export const comparison = z.strictObject({
  before: z.strictObject({ until: z.string(), ...side }),
  after: z.strictObject({ from: z.string(), ...side }),
  biomarkers: z.array(
    z.strictObject({
      biomarker: z.enum(biomarkerNames),
      unit: z.string(),
      before: z.number().nullable(),
      after: z.number().nullable(),
      change: z.number().nullable(),
      change_percent: z.number().nullable(),
    }),
  ),
})
