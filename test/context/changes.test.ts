import { describe, expect, it } from 'vitest'
import { boundedId } from '../../src/context/changes.ts'

describe('an ID from the service', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['x'.repeat(65), []],
    ['two words', []],
    [' padded', []],
    ['padded ', []],
    ['x-4711-y', ['4711']],
    ['x-4711-y', ['other', '4711']],
    ['471', ['471']],
  ])('the request ID %j from the service is not logged for a user with the IDs %j', (text, userIds) => {
    expect(boundedId(text, userIds)).toBeNull()
  })

  it.each([
    ['req_1-A', []],
    ['x'.repeat(64), []],
    ['x-471-y', ['471']],
    ['x-4711-y', ['4712']],
  ])('the request ID %j from the service is logged for a user with the IDs %j', (text, userIds) => {
    expect(boundedId(text, userIds)).toBe(text)
  })
})
