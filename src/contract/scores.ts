import * as z from 'zod/mini'
import { readEndpoint, userRules } from './endpoint.ts'
import { language, offsetDateTime, percentage, twoDecimals } from './fields.ts'
import { alsoSeen } from './lenient.ts'
import { summaryProfiles } from './values.ts'

/** Null if the service has no data on the metric (spec 2.3a). */
const metric = z.nullable(z.strictObject({ score: twoDecimals, confidence: twoDecimals }))

const healthMetrics = z.strictObject({
  metrics: z.strictObject({
    energy_balance: metric,
    general_fitness: metric,
    hypertension: metric,
    mental_health_risk: metric,
    mental_stress: metric,
    sleep_quality: metric,
  }),
  last_update: offsetDateTime,
})

/** A wellbeing score (spec 2.4). Some services return an object instead. */
const dimension = alsoSeen(
  percentage,
  z.looseObject({ score: percentage, assessment: z.nullish(z.string()) }),
)

const wellbeingScores = z.strictObject({
  mental: dimension,
  physical: dimension,
  energy_sleep: dimension,
  status_label: z.optional(alsoSeen(z.string().check(z.regex(/^[ULNG]{3}$/)), z.string())),
})

export const metrics = readEndpoint({
  method: 'GET',
  path: '/v2/metrics',
  summary: 'Get the health metrics of a user',
  section: '4.4',
  credentials: ['key'],
  user: userRules.externalInQuery,
  replies: { 200: healthMetrics, 204: null },
})

export const wellbeing = readEndpoint({
  method: 'GET',
  path: '/v2/userprofiles/wellbeing',
  summary: 'Get the wellbeing scores of a user',
  section: '4.4',
  credentials: ['key', 'token'],
  user: userRules.externalInQuery,
  replies: { 200: wellbeingScores },
})

export const summary = readEndpoint({
  method: 'GET',
  path: '/v2/userprofiles/summary/{profile}',
  summary: 'Get the feedback and tip of a wellbeing profile',
  section: '4.4',
  credentials: ['token'],
  params: z.object({ profile: z.enum(summaryProfiles) }),
  query: z.object({ language }),
  replies: { 200: z.strictObject({ feedback: z.string(), tip: z.string() }) },
})
