import { expect, test } from 'vitest'
import * as z from 'zod'
import { accepts, type Shape } from '../../src/contract/accepts.ts'
import type { EndpointDefinition } from '../../src/contract/endpoint.ts'
import { explainReply } from '../../src/contract/explain-reply.ts'
import { findEndpoint } from '../../src/contract/find-endpoint.ts'
import { endpoints } from '../../src/contract/index.ts'
import { shapeOf } from '../../src/contract/shape.ts'
import fc from '../helpers/fast-check.ts'

const replies = endpoints().flatMap(([name, endpoint]: [string, EndpointDefinition]) =>
  Object.entries(endpoint.replies).flatMap(([status, schema]) =>
    schema === null || schema === 'png' ? [] : [{ name, endpoint, status: Number(status), schema }],
  ),
)

/** What a service of another version might put where something else was. */
const strange = fc.oneof(
  fc.constantFrom(
    null,
    true,
    '',
    'x',
    0,
    -1,
    1.5,
    101,
    2 ** 60,
    [],
    {},
    [1, 2],
    [1, 2, 3],
    'F',
    'en',
    '2026-02-30',
  ),
  fc.constantFrom('2026-02-28', '2026-02-28T10:00:00Z', 'b06cc3cf-6b4d-4bd8-bc6f-1c2ab6e76b6a', {
    value: 1,
    unit: 'kg',
  }),
  fc.jsonValue(),
)

type Make = (shape: Shape) => fc.Arbitrary<unknown>

/** Values that have the shape. */
const right: Make = (shape) => (shape.anyOf ? fc.oneof(...shape.anyOf.map(right)) : makeOf(shape, right))

/** Values that have the shape but for a part of them, here and there. */
const near: Make = (shape) =>
  fc.oneof(
    { weight: 12, arbitrary: shape.anyOf ? fc.oneof(...shape.anyOf.map(near)) : makeOf(shape, near) },
    { weight: 1, arbitrary: strange },
  )

const makeOf = (shape: Shape, inner: Make) => makers[[shape.type].flat()[0] ?? '']?.(shape, inner) ?? strange

const makers: Record<string, (shape: Shape, inner: Make) => fc.Arbitrary<unknown>> = {
  string: ({ enum: words, pattern }) =>
    words ? fc.constantFrom(...words) : pattern ? fc.stringMatching(new RegExp(pattern)) : fc.string(),
  number: () => fc.oneof(fc.integer({ min: 0, max: 100 }), fc.double({ min: 0, max: 100, noNaN: true })),
  integer: () => fc.integer({ min: -1, max: 100 }),
  array: ({ items, prefixItems }, inner) =>
    prefixItems
      ? fc.tuple(...prefixItems.map(inner))
      : fc.array(items ? inner(items) : strange, { maxLength: 3 }),
  object: ({ properties = {}, required = [] }, inner) =>
    fc.record(Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, inner(part)])), {
      requiredKeys: [...required],
    }),
}

test.each(replies)(
  '$name, status $status: what is accepted without zod is what zod accepts',
  ({ schema }) => {
    const shape = shapeOf(schema)
    let accepted = 0
    fc.assert(
      fc.property(fc.oneof(right(shape), near(shape)), (value) => {
        const isAccepted = accepts(shape, value)
        if (isAccepted) accepted += 1
        expect(isAccepted).toBe(z.safeParse(schema, value).success)
      }),
      { numRuns: 150 },
    )
    expect(accepted, 'some of the values have to be right').toBeGreaterThan(0)
  },
)

test('the client finds in its outline what the contract defines', () => {
  for (const { endpoint, status, schema } of replies)
    expect(findEndpoint(endpoint.method, endpoint.path)?.replies[status]).toEqual(shapeOf(schema))
})

test('a reply that is not accepted is explained by the contract itself', () => {
  const endpoint = endpoints().find(([name]) => name === 'users.get')?.[1] as EndpointDefinition
  expect(explainReply(endpoint, 200, { user_id: 'x', customer: 'Acme' })).toEqual([
    'user_id: invalid uuid provided',
  ])
  expect(explainReply(endpoint, 200, { user_id: '0'.repeat(32), customer: 'Acme' })).toEqual([])
})

test('a schema that data cannot say all of is refused when it is written down', () => {
  expect(() => shapeOf(z.string().refine((text) => text > 'a'))).toThrow('a check that is a function')
  expect(() => shapeOf(z.email().regex(/x/))).toThrow('is not known to accepts()')
})
