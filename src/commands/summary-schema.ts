import * as z from 'zod/mini'
import { summaryProfiles } from '../contract/values.ts'

export const ofDimension = z.looseObject({
  dimension: z.enum(summaryProfiles),
  feedback: z.string(),
  tip: z.string(),
})

/** The JSON of one summary, or of the summaries of all dimensions. */
export const summaries = z.union([ofDimension, z.array(ofDimension)])
