import * as z from 'zod'
import { endpoint, userRules } from './endpoint.ts'
import { language, localDateTime, offsetDateTime, positiveInteger, uuid } from './fields.ts'
import { orders } from './values.ts'

/** The biomarkers of one face scan (specification, section 2.3). Units are in `biomarkerFacts`. */
const biomarkerRecord = z.looseObject({
  face_scan_id: uuid,
  heart_rate: z.number().nullish(),
  respiratory_rate: z.number().nullish(),
  heart_rate_variability: z.number().nullish(),
  resonant_breathing_score: z.number().nullish(),
  systolic_blood_pressure: z.number().nullish(),
  diastolic_blood_pressure: z.number().nullish(),
  timestamp_epoch: z.int(),
  timestamp: offsetDateTime,
})

export const scanUrl = endpoint({
  method: 'GET',
  path: '/v2/userjourneys/scan',
  summary: 'Get a link to the face scan',
  section: '4.2',
  credentials: ['key'],
  user: userRules.eitherInQuery,
  query: z.object({ language: language.optional(), expire_at: z.iso.datetime({ local: true }).optional() }),
  replies: { 200: z.string() },
  secretReply: true,
  retry: 'read',
  effect: 'read',
})

export const biomarkers = {
  get: endpoint({
    method: 'GET',
    path: '/v2/face-scans/{face_scan_id}',
    summary: 'Get the biomarkers of one face scan',
    section: '4.3',
    credentials: ['key'],
    user: userRules.externalInQuery,
    params: z.object({ face_scan_id: uuid }),
    replies: { 200: biomarkerRecord },
    retry: 'read',
    effect: 'read',
  }),
  list: endpoint({
    method: 'GET',
    path: '/v2/face-scans/',
    summary: 'List the biomarkers of a user’s face scans',
    section: '4.3',
    credentials: ['key', 'token'],
    user: userRules.externalInQuery,
    query: z.object({
      start: localDateTime.optional(),
      end: localDateTime.optional(),
      order: z.enum(orders).default('asc'),
      count: z.coerce.number().pipe(positiveInteger).default(10),
    }),
    replies: { 200: z.array(biomarkerRecord) },
    retry: 'read',
    effect: 'read',
  }),
  latest: endpoint({
    method: 'GET',
    path: '/v2/face-scans/latest',
    summary: 'Get the biomarkers of the latest face scans',
    section: '4.3',
    credentials: ['key', 'token'],
    user: userRules.externalInQuery,
    query: z.object({ count: z.coerce.number().pipe(positiveInteger).default(1) }),
    replies: { 200: z.array(biomarkerRecord) },
    retry: 'read',
    effect: 'read',
  }),
}
