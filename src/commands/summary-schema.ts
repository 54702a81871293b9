import * as z from 'zod/mini'
import { summaryProfiles } from '../contract/values.ts'

export const ofDimension = z.looseObject({
  dimension: z.enum(summaryProfiles),
  feedback: z.string(),
  tip: z.string(),
})

/** The summary of one dimension, or of all dimensions. */
export const summaries = z.union([ofDimension, z.array(ofDimension)])
