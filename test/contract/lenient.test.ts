import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { metricNames } from '../../src/contract/biomarkers.ts'
import { contract, endpoints } from '../../src/contract/index.ts'
import { alsoSeen, findIssues, sometimesMissing, toLenient } from '../../src/contract/lenient.ts'
import { wellbeing } from '../../src/contract/scores.ts'
import { users } from '../../src/contract/users.ts'
import { describeMismatch } from '../../src/http/bad-body.ts'

const accepts = (schema: z.core.$ZodType, value: unknown) => z.safeParse(schema, value).success

test.each([
  ['an unknown field', z.strictObject({ a: z.number() }), { a: 1, b: 2 }],
  ['a missing nullable field', z.strictObject({ a: z.nullable(z.number()) }), {}],
  ['null for an optional field', z.strictObject({ a: z.optional(z.number()) }), { a: null }],
  [
    'null for a field that some services omit',
    z.strictObject({ a: sometimesMissing(z.number()) }),
    { a: null },
  ],
  ['a missing field that some services omit', z.strictObject({ a: sometimesMissing(z.number()) }), {}],
  [
    'another type that some services return',
    z.strictObject({ a: alsoSeen(z.number(), z.string()) }),
    { a: 'x' },
  ],
  ['an unknown field in a list', z.array(z.strictObject({ a: z.number() })), [{ a: 1, b: 2 }]],
])(
  'a response with %s is accepted by the lenient schema and refused by the strict schema',
  (_, strict, value) => {
    expect([accepts(strict, value), accepts(toLenient(strict), value)]).toEqual([false, true])
  },
)

test.each([
  ['a missing required field', z.strictObject({ a: z.number() }), {}],
  ['a field of another type', z.strictObject({ a: z.number() }), { a: '1' }],
  ['a value that is not in an enum', z.strictObject({ a: z.nullable(z.enum(['M', 'F'])) }), { a: 'X' }],
])('a response with %s is refused by the lenient schema', (_, strict, value) => {
  expect(accepts(toLenient(strict), value)).toBe(false)
})

test.each([
  ['2026-03-01T09:30:00+0000', 0],
  ['2026-03-01T09:30:00.123-0530', 0],
  ['2026-03-01T09:30:00Z', 0],
  ['2026-03-01 09:30:00', 1],
  ['2026-03-01T09:30:00+00', 1],
])('the check of a response with the time %s reports %i problems', (last_update, count) => {
  const metric = { score: 1, confidence: 1 }
  const metrics = Object.fromEntries(metricNames.map((name) => [name, metric]))
  expect(findIssues(contract.metrics.replies[200], { metrics, last_update })).toHaveLength(count)
})

// spec 2.4:6
test('the client accepts wellbeing scores that are objects instead of numbers', () => {
  const scores = { mental: { score: 50, assessment: 'average' }, physical: 50, energy_sleep: { score: 50 } }
  expect(findIssues(wellbeing.replies[200], scores)).toEqual([])
})

const replies = endpoints().flatMap(([name, { replies }]) =>
  Object.entries(replies).flatMap(([status, schema]) =>
    schema === null || schema === 'png' ? [] : [{ name, status, schema }],
  ),
)

test.each(replies)(
  'the strict schema for responses from $name with status $status refuses unknown fields',
  ({ schema }) => {
    const { def } = (schema as z.core.$ZodTypes)._zod
    const item = def.type === 'array' ? (def.element as z.core.$ZodTypes) : (schema as z.core.$ZodTypes)
    if (item._zod.def.type !== 'object') return
    expect(item._zod.def.catchall?._zod.def.type).toBe('never')
  },
)

test('the check of a response lists the wrong fields and states whether the response can be printed', () => {
  const schema = users.get.replies[200]
  const check = (value: unknown) => describeMismatch(schema, value, findIssues(schema, value))
  const user = { user_id: '0'.repeat(32), customer: 'Acme' }
  expect(check(user)).toEqual({ problems: [], isUsable: true })
  expect(check({ ...user, user_id: 'x', weight: 70 })).toEqual({
    problems: ['user_id: invalid uuid provided', 'weight: expected object, received number'],
    isUsable: true,
  })
  expect(check({})).toEqual({ problems: ['user_id: missing', 'customer: missing'], isUsable: true })
  expect(check([user]).isUsable).toBe(false)
  expect(check(null).isUsable).toBe(false)
})
