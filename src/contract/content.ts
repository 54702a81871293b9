import * as z from 'zod'
import { endpoint, png, userRules } from './endpoint.ts'
import { language } from './fields.ts'
import { disabledSections } from './values.ts'

export const dashboardUrl = endpoint({
  method: 'POST',
  path: '/v2/dashboards/health',
  summary: 'Get a one-time link to the health dashboard',
  section: '4.6',
  credentials: ['key'],
  user: userRules.eitherInBody,
  body: z.object({
    language: language.optional(),
    disabled_sections: z.array(z.enum(disabledSections)).default([]),
  }),
  replies: { 201: z.string() },
  secretReply: true,
  retry: 'once',
  effect: 'read',
})

const recommendation = z.looseObject({
  title: z.string(),
  description: z.string(),
  action_url: z.string().nullish(),
  action_text: z.string().nullish(),
  image_url: z.string().nullish(),
  related_metric: z.string().nullish(),
  relevance: z.int().min(1),
  lookup_key: z.string(),
})

export const recommendations = endpoint({
  method: 'GET',
  path: '/v2/recommendations',
  summary: 'Get the recommendations for a user',
  section: '4.7',
  credentials: ['key', 'token'],
  user: userRules.eitherInQuery,
  query: z.object({ language: language.optional() }),
  replies: { 200: z.looseObject({ recommendations: z.array(recommendation) }) },
  retry: 'read',
  effect: 'read',
})

export const ceLabel = endpoint({
  method: 'GET',
  path: '/v1/regulatory/ce-label',
  summary: 'Get the CE label image',
  section: '4.8',
  credentials: [],
  replies: { 200: png },
  retry: 'read',
  effect: 'read',
})
