import { expect, test } from 'vitest'
import { ResponseCheck } from '../../../src/bulk/send/response-check.ts'
import { UserQueue } from '../../../src/bulk/send/user-queue.ts'
import type { WireResponse } from '../../../src/http/wire.ts'
import { batchesOf } from './fixture.ts'

const answers = batchesOf(['u smoking 0']).flatMap(({ rows }) => rows)
const zero = { lookup_key: 'smoking', value: 0 }
const userOf = (n: number) => new UserQueue({ kind: 'external_user_id', id: `u${n}` })

function replyWith(body: unknown, more: Partial<WireResponse> = {}): WireResponse {
  return { status: 201, headers: {}, body: Buffer.from(JSON.stringify(body)), durationMs: 1, ...more }
}

test.each([
  ['a number as text', { value: '0', user_id: 'a' }, {}, undefined],
  ['an empty text instead of 0', { value: ' ', user_id: 'a' }, {}, 'not a list of saved answers'],
  ['an empty user ID', { value: 0, user_id: '' }, {}, 'not a list of saved answers'],
  [
    'truncated text that is still valid JSON',
    { value: 0, user_id: 'a' },
    { cut: new Error('reset') },
    'not JSON',
  ],
])(
  'the check of a response accepts numbers as text and reports other problems: %s',
  (_, item, more, problem) => {
    const check = new ResponseCheck(false)
    const found = check.problemIn(replyWith([{ lookup_key: 'smoking', ...item }], more), userOf(1), answers)
    expect(found).toEqual(problem && expect.stringContaining(problem))
  },
)

test('after thousands of responses, the check of a response still recognizes the ID of another user', () => {
  const check = new ResponseCheck(false)
  const problemOf = (user: number, id: number) =>
    check.problemIn(replyWith([{ ...zero, user_id: `id-${id}` }]), userOf(user), answers)
  for (let n = 0; n < 3_000; n++) expect(problemOf(n, n)).toBeUndefined()
  for (const id of [0, 511, 512, 2_999])
    expect(problemOf(3_000 + id, id)).toBe('the response contains the ID of another user of this file')
})

test('an import stops after 20 responses without the sent answers, and its error shows field names but no values', () => {
  const check = new ResponseCheck(false)
  const names = 'abcdefghijklmn'.split('')
  const reply = replyWith([
    { ...Object.fromEntries(names.map((name) => [name, 7_771])), a: { b: { c: [1] } } },
  ])
  const stopAfter = (count: number) => {
    for (let n = 0; n < count; n++) check.problemIn(reply, userOf(n), answers)
    return check.findStopReason(reply, 'x')
  }
  expect(stopAfter(19)).toBeUndefined()
  const shape = `list of {a: {b: object}, ${names
    .slice(1, 12)
    .map((name) => `${name}: number`)
    .join(', ')}}`
  expect(stopAfter(1)?.details.hint).toContain(`Status 201, response: ${shape}`)
})

test('the check of a response accepts a body that starts with a byte order mark', () => {
  const body = Buffer.from(`\uFEFF${JSON.stringify([{ ...zero, user_id: 'a' }])}`)
  const reply = { ...replyWith([]), body }
  expect(new ResponseCheck(false).problemIn(reply, userOf(1), answers)).toBeUndefined()
})
