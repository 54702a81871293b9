import { expect, test } from 'vitest'
import { codeForStatus, exitCodes, UsageError } from '../../src/base/errors.ts'

test.each([
  [400, 6],
  [401, 3],
  [403, 5],
  [404, 4],
  [409, 6],
  [422, 6],
  [429, 7],
  [500, 8],
  [503, 8],
])('an error for a response with status %i has the exit code %i', (status, exit) => {
  expect(exitCodes[codeForStatus(status)][0]).toBe(exit)
})

test('a usage error lists every problem and exits with 2', () => {
  const error = new UsageError(['first', 'second'])
  expect(error.problems).toEqual([{ message: 'first' }, { message: 'second' }])
  expect(error.exitCode).toBe(2)
})
