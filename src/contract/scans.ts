import * as z from 'zod/mini'
import { once } from '../base/functions.ts'
import { readEndpoint, userRules } from './endpoint.ts'
import { language, localDateTime, preciseDateTime, uuid, zonelessDateTime } from './fields.ts'
import { sometimesMissing } from './lenient.ts'
import { maximumScans, orders } from './values.ts'

/** Number of scans in a request. Each service has its own maximum. The OpenAPI document shows the maximum of the sandbox. */
const scanCount = () => z.int().check(z.minimum(1), z.maximum(maximumScans))

/** The biomarkers of one face scan (spec 2.3). Units are in `biomarkerFacts`. */
const biomarkerRecord = once(() => {
  const biomarker = sometimesMissing(z.number())
  return z.strictObject({
    face_scan_id: uuid,
    heart_rate: biomarker,
    respiratory_rate: biomarker,
    heart_rate_variability: biomarker,
    resonant_breathing_score: biomarker,
    systolic_blood_pressure: biomarker,
    diastolic_blood_pressure: biomarker,
    timestamp_epoch: z.int(),
    timestamp: preciseDateTime,
  })
})

export const scanUrl = readEndpoint('GET /v2/userjourneys/scan', 'Create a link to start a face scan', {
  section: '4.2',
  credentials: ['key'],
  user: userRules.eitherInQuery,
  secretReply: true,
  schemas: () => ({
    query: z.object({ language: z.optional(language), expire_at: z.optional(zonelessDateTime) }),
    replies: { 200: z.string() },
  }),
})

export const biomarkers = {
  get: readEndpoint('GET /v2/face-scans/{face_scan_id}', 'Get the biomarkers from one face scan', {
    section: '4.3',
    credentials: ['key', 'token'],
    user: userRules.externalInQuery,
    schemas: () => ({
      params: z.object({ face_scan_id: uuid }),
      replies: { 200: biomarkerRecord() },
    }),
  }),
  list: readEndpoint('GET /v2/face-scans/', 'List the biomarkers from a user’s face scans', {
    section: '4.3',
    credentials: ['key', 'token'],
    user: userRules.externalInQuery,
    schemas: () => ({
      query: z.object({
        start: z.optional(localDateTime),
        end: z.optional(localDateTime),
        order: z._default(z.enum(orders), 'asc'),
        count: z._default(scanCount(), 10),
      }),
      replies: { 200: z.array(biomarkerRecord()) },
    }),
  }),
  latest: readEndpoint('GET /v2/face-scans/latest', 'Get the biomarkers from the latest face scans', {
    section: '4.3',
    credentials: ['key', 'token'],
    user: userRules.externalInQuery,
    schemas: () => ({
      query: z.object({ count: z._default(scanCount(), 1) }),
      replies: { 200: z.array(biomarkerRecord()) },
    }),
  }),
}
