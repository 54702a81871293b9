import { expect, test } from 'vitest'
import type { CallInput, CallOutput } from '../../src/contract/endpoint.ts'
import type { biomarkers } from '../../src/contract/scans.ts'
import type { wellbeing } from '../../src/contract/scores.ts'
import type { users } from '../../src/contract/users.ts'

type ListInput = CallInput<typeof biomarkers.list>
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

test('wrong types do not compile', () => {
  expect([inputs.length, scores, scan]).toHaveLength(3)
})
