import * as z from 'zod'
import { endpoint, userRules } from './endpoint.ts'
import { language, offsetDateTime, percentage } from './fields.ts'
import { metricNames, summaryProfiles } from './values.ts'

const metric = z.looseObject({ score: percentage, confidence: percentage }).nullish()

/** A dimension as the specification has it, or as other descriptions have seen it. */
const dimension = z.union([
  percentage,
  z.looseObject({ score: percentage, assessment: z.string().nullish() }),
])

/** `null` means that no data is available on a metric (specification, section 2.3a). */
const healthMetrics = z.looseObject({
  metrics: z.looseObject(
    Object.fromEntries(metricNames.map((name) => [name, metric])) as Record<
      (typeof metricNames)[number],
      typeof metric
    >,
  ),
  last_update: offsetDateTime,
})

export const metrics = endpoint({
  method: 'GET',
  path: '/v2/metrics',
  summary: 'Get the health metrics of a user',
  section: '4.4',
  credentials: ['key'],
  user: userRules.externalInQuery,
  replies: { 200: healthMetrics, 204: null },
  retry: 'read',
  effect: 'read',
})

export const wellbeing = endpoint({
  method: 'GET',
  path: '/v2/userprofiles/wellbeing',
  summary: 'Get the wellbeing scores of a user',
  section: '4.4',
  credentials: ['key', 'token'],
  user: userRules.externalInQuery,
  replies: {
    200: z.looseObject({
      mental: dimension,
      physical: dimension,
      energy_sleep: dimension,
      status_label: z.string().nullish(),
    }),
  },
  retry: 'read',
  effect: 'read',
})

export const summary = endpoint({
  method: 'GET',
  path: '/v2/userprofiles/summary/{profile}',
  summary: 'Get the feedback and tip of a wellbeing profile',
  section: '4.4',
  credentials: ['token'],
  params: z.object({ profile: z.enum(summaryProfiles) }),
  query: z.object({ language }),
  replies: { 200: z.looseObject({ feedback: z.string(), tip: z.string() }) },
  retry: 'read',
  effect: 'read',
})
