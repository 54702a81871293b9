import { describe, expect, it } from 'vitest'
import { boundedId } from '../../src/context/changes.ts'

describe('an ID from the service', () => {
  it.each([
    [undefined, [], null],
    ['', [], null],
    ['req_1-A', [], 'req_1-A'],
    ['x'.repeat(64), [], 'x'.repeat(64)],
    ['x'.repeat(65), [], null],
    ['two words', [], null],
    [' padded', [], null],
    ['padded ', [], null],
    ['x-4711-y', ['4711'], null],
    ['x-4711-y', ['other', '4711'], null],
    ['x-471-y', ['471'], 'x-471-y'],
    ['471', ['471'], null],
    ['x-4711-y', ['4712'], 'x-4711-y'],
  ])(
    'the ID %j that the service returns for a user with the IDs %j is logged as %j',
    (text, forbidden, expected) => {
      expect(boundedId(text, forbidden)).toEqual(expected)
    },
  )
})
