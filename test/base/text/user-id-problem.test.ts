import { expect, test } from 'vitest'
import { userIdProblem } from '../../../src/base/text/user-id-problem.ts'

test.each([
  ['a\nb', 'contains a control character (U+000A)', 'contains a control character (U+000A)'],
  ['a\x7f', 'contains a control character (U+007F)', 'contains a control character (U+007F)'],
  [' a', 'starts or ends with a space', undefined],
  ['a\u00a0', 'starts or ends with a space', undefined],
  ['a\u200bb', 'contains an invisible character (U+200B)', undefined],
  ['a\u202eb', 'contains an invisible character (U+202E)', undefined],
  ['\ufeffa', 'starts or ends with a space', undefined],
  ['a b', undefined, undefined],
  ['jos\u00e9@example.com', undefined, undefined],
])('the problem of the external user ID %j is %s, and with --ids exact %s', (id, problem, exact) => {
  expect(userIdProblem(id)).toBe(problem)
  expect(userIdProblem(id, { isExact: true })).toBe(exact)
})
