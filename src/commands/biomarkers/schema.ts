import * as z from 'zod/mini'
import { biomarkerNames } from '../../contract/values.ts'

const side = { scans: z.int(), first: z.nullable(z.string()), last: z.nullable(z.string()) }

/** Values are in the unit of the biomarker, and null if a side has no scans. */
export const comparison = z.strictObject({
  before: z.strictObject({ until: z.string(), ...side }),
  after: z.strictObject({ from: z.string(), ...side }),
  biomarkers: z.array(
    z.strictObject({
      biomarker: z.enum(biomarkerNames),
      unit: z.string(),
      before: z.nullable(z.number()),
      after: z.nullable(z.number()),
      change: z.nullable(z.number()),
      change_percent: z.nullable(z.number()),
    }),
  ),
})
