import { expect, test } from 'vitest'
import { FacescanError } from '../../../src/base/errors.ts'
import { explainStoppedRun } from '../../../src/framework/many/explain-stop.ts'

const resume = 'Resume with: facescan users get --users staff.csv'

test.each([
  ['network', resume, 'interrupted', ['first', resume]],
  ['server', undefined, 'interrupted', ['first']],
  ['rate_limited', resume, 'interrupted', ['first', resume]],
  ['usage', resume, 'interrupted', ['first', resume]],
  ['usage', undefined, 'usage', ['first']],
  ['import_stopped', undefined, 'interrupted', ['first']],
  ['not_found', resume, 'not_found', ['first', resume]],
] as const)(
  'if the error "%s" stops a run and the hint to resume is %j, the reported code is "%s", and the hints are %j',
  (code, hint, stopped, hints) => {
    const error = new FacescanError(code, 'no response', { hint: 'first', status: 500 })
    const explained = explainStoppedRun(error, '3 of 5 users were sent', hint, 'interrupted')
    expect(explained).toMatchObject({
      code: stopped,
      message: 'no response; 3 of 5 users were sent',
      details: { hint: hints, status: 500 },
    })
  },
)

test('an unexpected error that stops a run is thrown unchanged', () => {
  const bug = new TypeError('x is not a function')
  expect(() => explainStoppedRun(bug, '', resume)).toThrow(bug)
})
