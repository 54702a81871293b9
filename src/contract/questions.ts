import * as z from 'zod'
import { endpoint, userRules } from './endpoint.ts'
import { offsetDateTime, positiveInteger } from './fields.ts'
import { isTimeZone } from './values.ts'

/** A question answer (specification, section 2.6). `timezone` is an IANA name. */
const answer = z.object({
  lookup_key: z.string().min(1),
  value: z.int(),
  timezone: z.string().refine(isTimeZone, 'not an IANA time-zone name'),
})

const savedAnswer = z.looseObject({ lookup_key: z.string(), value: z.int(), user_id: z.string() })

const answeredQuestion = z.looseObject({
  question_lookup_key: z.string(),
  answer: z.int(),
  score: z.int().nullish(),
  health_scan_id: z.string().nullish(),
  local_timestamp: offsetDateTime,
})

const answeredPage = z.looseObject({
  items: z.array(answeredQuestion),
  pagination: z.looseObject({
    page: z.int(),
    page_size: z.int(),
    total_pages: z.int(),
    total_items: z.int(),
    next_page: z.union([z.int(), z.string()]).nullish(),
  }),
})

export const questions = {
  all: endpoint({
    method: 'GET',
    path: '/v2/questions/all',
    summary: 'List every question lookup key',
    section: '4.5',
    credentials: ['key'],
    replies: { 200: z.array(z.string()) },
    retry: 'read',
    effect: 'read',
  }),
  answered: endpoint({
    method: 'GET',
    path: '/v2/questions/answered',
    summary: 'List the questions a user has answered',
    section: '4.5',
    credentials: ['key'],
    user: userRules.externalInQuery,
    // The specification does not show which parameters select a page: loose, so that the name can be set.
    query: z.looseObject({ page: z.coerce.number().pipe(positiveInteger).optional() }),
    replies: { 200: answeredPage },
    retry: 'read',
    effect: 'read',
  }),
  answer: endpoint({
    method: 'POST',
    path: '/v2/questions/answer',
    summary: 'Save one answer',
    section: '4.5',
    credentials: ['key'],
    user: userRules.eitherInQuery,
    body: answer,
    replies: { 201: savedAnswer },
    retry: 'once',
    effect: 'change',
  }),
  answerMany: endpoint({
    method: 'POST',
    path: '/v2/questions/answer/many',
    summary: 'Save several answers of one user',
    section: '4.5',
    credentials: ['key'],
    user: userRules.eitherInQuery,
    body: z.array(answer).min(1),
    replies: { 201: z.array(savedAnswer) },
    retry: 'once',
    effect: 'change',
  }),
}
