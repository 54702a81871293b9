import * as z from 'zod/mini'
import { metricNames } from './biomarkers.ts'
import { endpoint, png, readEndpoint, userRules } from './endpoint.ts'
import { language, positiveInteger } from './fields.ts'
import { readAs } from './lenient.ts'

export const dashboardUrl = endpoint(
  'POST /v2/dashboards/health',
  'Get a one-time link to the health dashboard',
  {
    section: '4.6',
    credentials: ['key'],
    user: userRules.eitherInBody,
    secretReply: true,
    retry: 'once',
    effect: 'read',
    schemas: () => ({
      body: z.object({
        language: z.optional(language),
        // Any text is accepted, because an example in the specification uses a section name that is not in the specification's list.
        disabled_sections: z._default(z.array(z.string()), []),
      }),
      replies: { 201: z.string() },
    }),
  },
)

export const recommendations = readEndpoint('GET /v2/recommendations', 'Get the recommendations for a user', {
  section: '4.7',
  credentials: ['key', 'token'],
  user: userRules.eitherInQuery,
  schemas: () => {
    const optionalText = z.nullish(z.string())
    const url = readAs(z.url(), optionalText)
    const recommendation = z.strictObject({
      title: z.string(),
      description: z.string(),
      action_url: url,
      action_text: readAs(z.string(), optionalText),
      image_url: url,
      related_metric: readAs(z.enum(metricNames), optionalText),
      relevance: positiveInteger,
      lookup_key: z.string(),
    })
    return {
      query: z.object({ language: z.optional(language) }),
      replies: { 200: z.strictObject({ recommendations: z.array(recommendation) }) },
    }
  },
})

export const ceLabel = readEndpoint('GET /v1/regulatory/ce-label', 'Get the CE label image', {
  section: '4.8',
  credentials: [],
  schemas: () => ({ replies: { 200: png } }),
})
