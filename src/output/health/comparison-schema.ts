import * as z from 'zod'
import { biomarkerNames } from '../../contract/values.ts'

/** Times are ISO 8601, and null if there are no scans. */
const side = { scans: z.int(), first: z.string().nullable(), last: z.string().nullable() }

/** Averages have at most two decimals and are in the unit of the biomarker. They are null if no scan of the side has a value. */
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
