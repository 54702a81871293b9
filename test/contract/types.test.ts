import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { CallInput, CallOutput, EndpointDefinition } from '../../src/contract/endpoint.ts'
import { language, positiveInteger, zonelessDateTime } from '../../src/contract/fields.ts'
import type { biomarkers } from '../../src/contract/scans.ts'
import type { wellbeing } from '../../src/contract/scores.ts'
import type { users } from '../../src/contract/users.ts'

type ListInput = CallInput<typeof biomarkers.list>
type Query = NonNullable<EndpointDefinition['query']>
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
  // @ts-expect-error list has no language
  { query: { language: 'en' } } satisfies ListInput,
  { body: { external_user_id: '4711' } } satisfies CreateInput,
  // @ts-expect-error an external ID is a text
  { body: { external_user_id: 4711 } } satisfies CreateInput,
]

const scores: CallOutput<typeof wellbeing> = { mental: 50, physical: { score: 50 }, energy_sleep: 50 }

// @ts-expect-error a face scan ID is required in every reply
const scan: CallOutput<typeof biomarkers.get> = { timestamp_epoch: 1, timestamp: '' }

const queries: unknown[] = [
  z.object({ language, expire_at: z.optional(zonelessDateTime) }) satisfies Query,
  z.looseObject({ name: z.string(), count: z._default(positiveInteger, 1) }) satisfies Query,
  // @ts-expect-error true arrives as text
  z.object({ all: z.boolean() }) satisfies Query,
  // @ts-expect-error the sandbox converts only digits
  z.object({ weight: z.optional(z.number()) }) satisfies Query,
  // @ts-expect-error a parameter is sent only once
  z.object({ languages: z.array(language) }) satisfies Query,
  // @ts-expect-error null arrives as text
  z.object({ name: z.nullable(z.string()) }) satisfies Query,
  // @ts-expect-error the client accepts every type for a coerced value
  z.object({ count: z.pipe(z.coerce.number(), positiveInteger) }) satisfies Query,
]

test('wrong types do not compile', () => {
  expect([inputs.length, scores, scan]).toHaveLength(3)
})

test('a query of the contract consists of text, choices, and whole numbers', () => {
  expect(queries).toHaveLength(7)
})
