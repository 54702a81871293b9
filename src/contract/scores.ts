import * as z from 'zod/mini'
import { readEndpoint, userRules } from './endpoint.ts'
import { language, offsetDateTime, percentage, twoDecimals } from './fields.ts'
import { alsoSeen } from './lenient.ts'
import { summaryProfiles } from './values.ts'

export const metrics = readEndpoint('GET /v2/metrics', 'Get a user’s health metrics', {
  section: '4.4',
  credentials: ['key'],
  user: userRules.externalInQuery,
  schemas: () => {
    // Null if the service has no data for the metric (spec 2.3a).
    const metric = z.nullable(z.strictObject({ score: twoDecimals, confidence: twoDecimals }))
    const scored = z.strictObject({
      energy_balance: metric,
      general_fitness: metric,
      hypertension: metric,
      mental_health_risk: metric,
      mental_stress: metric,
      sleep_quality: metric,
    })
    return { replies: { 200: z.strictObject({ metrics: scored, last_update: offsetDateTime }), 204: null } }
  },
})

export const wellbeing = readEndpoint('GET /v2/userprofiles/wellbeing', 'Get a user’s wellbeing scores', {
  section: '4.4',
  credentials: ['key', 'token'],
  user: userRules.externalInQuery,
  schemas: () => {
    // Some services return an object instead of a number (spec 2.4).
    const seen = z.looseObject({ score: percentage, assessment: z.nullish(z.string()) })
    const dimension = alsoSeen(percentage, seen)
    const label = alsoSeen(z.string().check(z.regex(/^[ULNG]{3}$/)), z.string())
    const scores = { mental: dimension, physical: dimension, energy_sleep: dimension }
    return { replies: { 200: z.strictObject({ ...scores, status_label: z.optional(label) }) } }
  },
})

export const summary = readEndpoint(
  'GET /v2/userprofiles/summary/{profile}',
  'Get feedback and a tip for a wellbeing profile',
  {
    section: '4.4',
    credentials: ['token'],
    schemas: () => ({
      params: z.object({ profile: z.enum(summaryProfiles) }),
      query: z.object({ language }),
      replies: { 200: z.strictObject({ feedback: z.string(), tip: z.string() }) },
    }),
  },
)
