import { expect, test } from 'vitest'
import { keyIn, similarTo } from '../../../src/bulk/rows/similar.ts'

const known = ['height', 'weight']

test.each([
  ['Weight (kg)', '', 0, '', 'weight'],
  ['Weight', ' ', 190, 'kg', 'weight'],
  ['Weight', ' ', 200_000, 'kg', undefined],
  ['a', ' (', 200_000, 'b', undefined],
])(
  'the column name "%s", then "%s" %i times, then "%s", is similar to %s',
  (start, part, count, end, expected) => {
    expect(similarTo(`${start}${part.repeat(count)}${end}`, 'answers', known)).toBe(expected)
  },
)

test.each([
  ['', 0, 'weight'],
  ['x', 180, 'weight'],
  [' (', 200_000, undefined],
])(
  'the column name "What is your weight?", then "%s" %i times, contains the lookup key %s',
  (part, count, expected) => {
    expect(keyIn(`What is your weight?${part.repeat(count)}`, { kind: 'answers', known })).toBe(expected)
  },
)
