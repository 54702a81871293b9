import { expect, test } from 'vitest'
import { FacescanError } from '../../../src/base/errors.ts'
import { conclude, type RunResult } from '../../../src/framework/many/conclude.ts'

/**
 * The end of a run for ten users. By default, all numbers are those of a run in which every user succeeds. Numbers in `list` and `counts`
 * override them.
 */
async function end(changes: {
  list?: Partial<RunResult['list']>
  counts?: Partial<RunResult['counts']>
  others?: Partial<RunResult>
}) {
  const users = changes.list?.users ?? 10
  const repeats = { ...({} as RunResult['list']['repeats']), users }
  const list = { users, invalid: 0, repeated: 0, repeats, ...changes.list }
  const counts = { done: 10, failed: 0, repeated: { done: 0, failed: 0 }, ...changes.counts }
  const result = await conclude({ list, counts, end: { done: true }, files: {}, ...changes.others })
  const { code, message, details } = result.error ?? {}
  return { ...result, code, message, hint: details?.hint }
}

const verb = (verb: string) => ({ change: { verb } }) as Partial<RunResult>
const stopped = { end: { done: false, error: new FacescanError('server', 'status 500') } } as const
const files = { out: 'out.csv', errors: 'out.errors.csv' }

test('the summary of a stopped run counts the users that were not tried', async () => {
  const { value, message } = await end({ counts: { done: 5, failed: 2 }, others: stopped })
  expect(value).toEqual({ users: 10, done: 5, failed: 2, not_tried: 3, file: null, errors_file: null })
  expect(message).toBe('status 500; 5 done, 2 failed, 3 not tried')
})

test('the summary counts a user with several equal rows once, unless the output also repeats these rows', async () => {
  const list = { repeated: 3 }
  const counts = { done: 7, failed: 3, repeated: { done: 2, failed: 1 } }
  expect((await end({ list, counts })).value).toMatchObject({ users: 7, done: 5, failed: 2, not_tried: 0 })
  const rows = await end({ list, counts, others: { countsRows: true } })
  expect(rows.value).toMatchObject({ users: 10, done: 7, failed: 3, not_tried: 0 })
})

test('in the summary of a change, a user counts as failed if the status of the user means a failure', async () => {
  const change = { verb: 'invite', failures: ['failed', 'unknown'] }
  const counts = { statuses: { failed: 2, unknown: 1, invited: 7 } }
  const { value } = await end({ counts, others: { change } })
  expect(value).toMatchObject({ users: 10, done: 7, failed: 3, not_tried: 0 })
})

test.each([
  ['import', 'import_stopped', 'import_rejected'],
  ['delete', 'list_stopped', 'list_failed'],
])(
  'if a list that should %s users stops, the code is %s, and if users fail, the code is %s',
  async (word, early, failed) => {
    expect(await end({ others: { ...verb(word), ...stopped } })).toMatchObject({ code: early })
    expect(await end({ counts: { done: 9, failed: 1 }, others: verb(word) })).toMatchObject({ code: failed })
  },
)

test('the hint of a stopped run is the command that resumes it, if the run can be resumed', async () => {
  const resume = 'facescan users get --users staff.csv'
  expect((await end({ others: { ...stopped, resume } })).hint).toEqual([`Resume with: ${resume}`])
  expect((await end({ others: stopped })).hint).toEqual([])
})

test('the error for failed users names the file with the failed users, if this file was written', async () => {
  const counts = { done: 7, failed: 3 }
  expect(await end({ counts, others: { files } })).toMatchObject({
    message: '3 of 10 users failed; 7 done; results in out.csv',
    hint: 'The failed users and the reasons are in out.errors.csv',
  })
  expect((await end({ counts })).hint).toBeUndefined()
})

test('the message of a run counts skipped rows, and names the file that contains them', async () => {
  expect((await end({ list: { invalid: 1 } })).done).toBe('Processed 10 users; 1 invalid row skipped')
  expect((await end({ list: { invalid: 2 }, others: { files } })).done).toBe(
    'Processed 10 users; results in out.csv; 2 invalid rows skipped; see out.errors.csv',
  )
})

test.each([
  ['import', 'Imported 10 users'],
  ['invite', 'Invited 10 users'],
  ['delete', 'Deleted 10 users'],
])('if a list command to %s users succeeds for all users, its success line is %j', async (word, line) => {
  const { done, notes, error } = await end({ others: { ...verb(word), files: { out: 'out.csv' } } })
  expect({ done, notes, error }).toEqual({ done: line, notes: ['results in out.csv'], error: undefined })
})

test('the success line of a change does not count existing, kept, and repeated users', async () => {
  const statuses = { created: 4, existing: 3, kept: 2 }
  const { done } = await end({ list: { repeated: 1 }, counts: { statuses }, others: verb('import') })
  expect(done).toBe('Imported 4 users (4 created, 3 existing, 2 kept from the earlier run)')
})

test('the success line omits the status if all users have the same status and it is the word for the change', async () => {
  const { done } = await end({ counts: { statuses: { invited: 8, existing: 2 } }, others: verb('invite') })
  expect(done).toBe('Invited 8 users (2 existing)')
})

test('if no user was changed, a note is printed instead of a success line', async () => {
  const { done, notes } = await end({ counts: { statuses: { existing: 10 } }, others: verb('import') })
  expect({ done, notes }).toEqual({ done: undefined, notes: ['nothing to import: 10 existing'] })
})

test('a repeated command for a complete list prints the names of the result files, and no success line', async () => {
  const { done, notes } = await end({
    others: { ...verb('delete'), files: { out: 'out.csv' }, isRepeated: true },
  })
  expect({ done, notes }).toEqual({ done: undefined, notes: ['results in out.csv'] })
})
