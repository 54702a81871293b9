import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type CallInput, type CallOutput, type Endpoint, endpoint } from '../../src/contract/endpoint.ts'
import { language, positiveInteger, zonelessDateTime } from '../../src/contract/fields.ts'
import type { biomarkers } from '../../src/contract/scans.ts'
import type { wellbeing } from '../../src/contract/scores.ts'
import type { users } from '../../src/contract/users.ts'

type ListInput = CallInput<typeof biomarkers.list>
type Query = NonNullable<Endpoint['query']>
type CreateInput = CallInput<typeof users.create>

// The type checker fails on an unused @ts-expect-error, so each of these lines is a test.
const inputs: unknown[] = [
  { query: { count: 5 } } satisfies ListInput,
  // @ts-expect-error a count is a number
  { query: { count: '5' } } satisfies ListInput,
  // @ts-expect-error a count is a number
  { query: { count: true } } satisfies ListInput,
  // @ts-expect-error an order is asc or desc
  { query: { order: 'up' } } satisfies ListInput,
  // @ts-expect-error the endpoint has no parameter language
  { query: { language: 'en' } } satisfies ListInput,
  { body: { external_user_id: '4711' } } satisfies CreateInput,
  // @ts-expect-error an external ID is a text
  { body: { external_user_id: 4711 } } satisfies CreateInput,
]

const scores: CallOutput<typeof wellbeing> = { mental: 50, physical: { score: 50 }, energy_sleep: 50 }

// @ts-expect-error a face scan ID is required in the response
const scan: CallOutput<typeof biomarkers.get> = { timestamp_epoch: 1, timestamp: '' }

const queries: unknown[] = [
  z.object({ language, expire_at: z.optional(zonelessDateTime) }) satisfies Query,
  z.looseObject({ name: z.string(), count: z._default(positiveInteger, 1) }) satisfies Query,
  // @ts-expect-error a boolean would arrive as text
  z.object({ all: z.boolean() }) satisfies Query,
  // @ts-expect-error the sandbox converts only whole numbers
  z.object({ weight: z.optional(z.number()) }) satisfies Query,
  // @ts-expect-error a parameter cannot have several values
  z.object({ languages: z.array(language) }) satisfies Query,
  // @ts-expect-error null would arrive as text
  z.object({ name: z.nullable(z.string()) }) satisfies Query,
  // @ts-expect-error with a coerced value, the client would accept every type
  z.object({ count: z.pipe(z.coerce.number(), positiveInteger) }) satisfies Query,
]

const facts = { section: '1', credentials: ['key'], retry: 'once', effect: 'change' } as const
const { retry: _, ...withoutRetry } = facts
const { effect: _effect, ...withoutEffect } = facts
const replies = { 200: null } as const

const definitions = [
  endpoint('GET /v2/users', '', { ...facts, schemas: () => ({ replies }) }),
  // @ts-expect-error the method is missing
  endpoint('/v2/users', '', { ...facts, schemas: () => ({ replies }) }),
  // @ts-expect-error the retry class is missing
  endpoint('GET /v2/users', '', { ...withoutRetry, schemas: () => ({ replies }) }),
  // @ts-expect-error the effect is missing
  endpoint('GET /v2/users', '', { ...withoutEffect, schemas: () => ({ replies }) }),
  // @ts-expect-error the responses are missing
  endpoint('GET /v2/users', '', { ...facts, schemas: () => ({}) }),
  // @ts-expect-error `bodies` is not the name of a schema
  endpoint('GET /v2/users', '', { ...facts, schemas: () => ({ replies, bodies: null }) }),
  // @ts-expect-error a response is a schema, null, or png
  endpoint('GET /v2/users', '', { ...facts, schemas: () => ({ replies: { 200: 'jpeg' } }) }),
]

test('TypeScript rejects an endpoint with an inconsistent definition', () => {
  expect(definitions).toHaveLength(7)
})

test('TypeScript rejects a call of an endpoint with wrong types', () => {
  expect([inputs.length, scores, scan]).toHaveLength(3)
})

test('TypeScript rejects an endpoint with a query parameter that is not text, a choice, or a whole number', () => {
  expect(queries).toHaveLength(7)
})
