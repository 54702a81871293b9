import * as z from 'zod/mini'
import { endpoint, readEndpoint, userRules } from './endpoint.ts'
import { offsetDateTime, positiveInteger, uuid } from './fields.ts'
import { alsoSeen, sometimesMissing } from './lenient.ts'
import { isTimeZone } from './values.ts'

/** An answer to a question (spec 2.6). `timezone` is an IANA name. */
const answer = () =>
  z.object({
    lookup_key: z.string().check(z.minLength(1)),
    value: z.int(),
    timezone: z.string().check(z.refine(isTimeZone, 'must be an IANA time zone name')),
  })

const savedAnswer = () => z.strictObject({ lookup_key: z.string(), value: z.int(), user_id: uuid })

export const questions = {
  all: readEndpoint('GET /v2/questions/all', 'List the lookup keys of all questions', {
    section: '4.5',
    credentials: ['key'],
    schemas: () => ({ replies: { 200: z.array(z.string()) } }),
  }),
  answered: readEndpoint('GET /v2/questions/answered', 'List the questions that a user has answered', {
    section: '4.5',
    credentials: ['key'],
    user: userRules.optionalExternalInQuery,
    schemas: () => {
      const item = z.strictObject({
        question_lookup_key: z.string(),
        answer: z.int(),
        score: z.nullable(z.int()),
        health_scan_id: sometimesMissing(z.string()),
        local_timestamp: offsetDateTime,
      })
      const pagination = z.strictObject({
        page: z.int(),
        page_size: z.int(),
        total_pages: z.int(),
        total_items: z.int(),
        next_page: z.nullable(alsoSeen(z.int(), z.string())),
      })
      return {
        // The specification does not name the parameter for a page, so any parameter is accepted.
        query: z.looseObject({ page: z.optional(positiveInteger) }),
        replies: { 200: z.strictObject({ items: z.array(item), pagination }) },
      }
    },
  }),
  answer: endpoint('POST /v2/questions/answer', 'Save one answer', {
    section: '4.5',
    credentials: ['key'],
    user: userRules.eitherInQuery,
    retry: 'once',
    effect: 'change',
    schemas: () => ({ body: answer(), replies: { 201: savedAnswer() } }),
  }),
  answerMany: endpoint('POST /v2/questions/answer/many', 'Save several answers for a user', {
    section: '4.5',
    credentials: ['key', 'token'],
    user: userRules.eitherInQuery,
    retry: 'once',
    effect: 'change',
    schemas: () => ({
      body: z.array(answer()),
      replies: { 201: z.array(savedAnswer()) },
    }),
  }),
}
