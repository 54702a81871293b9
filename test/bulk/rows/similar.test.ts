import { expect, test } from 'vitest'
import { keyIn, similarTo } from '../../../src/bulk/rows/similar.ts'

const known = ['height', 'weight']

test.each([
  ['Weight (kg)', 'weight'],
  [`Weight${' '.repeat(190)}kg`, 'weight'],
  [`Weight${' '.repeat(200_000)}kg`, undefined],
  [`a${' ('.repeat(200_000)}b`, undefined],
])('the column name %.20s… is similar to %s', (name, expected) => {
  expect(similarTo(name, 'answers', known)).toBe(expected)
})

test.each([
  ['What is your weight?', 'weight'],
  [`What is your weight?${'x'.repeat(180)}`, 'weight'],
  [`What is your weight?${' ('.repeat(200_000)}`, undefined],
])('the column name %.30s… contains the lookup key %s', (name, expected) => {
  expect(keyIn(name, { kind: 'answers', known })).toBe(expected)
})
