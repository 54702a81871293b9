import { describe, expect, test } from 'vitest'
import { hashId, ResponseCheck } from '../../../src/bulk/send/response-check.ts'
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

test('the check of a response recognizes the ID of another user after thousands of responses', () => {
  const check = new ResponseCheck(false)
  const problemOf = (user: number, id: number) =>
    check.problemIn(replyWith([{ ...zero, user_id: `id-${id}` }]), userOf(user), answers)
  for (let n = 0; n < 3_000; n++) expect(problemOf(n, n)).toBeUndefined()
  for (const id of [0, 511, 512, 2_999])
    expect(problemOf(3_000 + id, id)).toBe('the response contains the ID of another user of this file')
})

test('if responses contain two different IDs for a user, the response with the second ID is refused, even if the response with the first ID was refused too', () => {
  const check = new ResponseCheck(false)
  const shared = userOf(2)
  const problemOf = (id: string, queue = shared) =>
    check.problemIn(replyWith([{ ...zero, user_id: id }]), queue, answers)
  expect(problemOf('a', userOf(1))).toBeUndefined()
  expect(problemOf('a')).toBe('the response contains the ID of another user of this file')
  expect(problemOf('b')).toBe('the response contains another user’s ID')
})

test('if 20 responses do not contain the sent answers, an import stops, and its error contains no values', () => {
  const check = new ResponseCheck(false)
  const names = 'abcdefghijklmn'.split('')
  const reply = replyWith([
    { ...Object.fromEntries(names.map((name) => [name, 7_771])), a: { b: { c: [1] } } },
  ])
  const stopAfter = (count: number) => {
    for (let n = 1; n < count; n++) check.noteProblem(reply, check.problemIn(reply, userOf(n), answers) ?? '')
    return check.noteProblem(reply, 'x')
  }
  expect(stopAfter(19)).toBeUndefined()
  const shape = `list of {a: {b: object}, ${names
    .slice(1, 12)
    .map((name) => `${name}: number`)
    .join(', ')}}`
  expect(stopAfter(1)?.details.hint).toContain(`Status 201, response: ${shape}`)
})

test('the check of a response accepts a byte order mark before the body', () => {
  const body = Buffer.from(`\uFEFF${JSON.stringify([{ ...zero, user_id: 'a' }])}`)
  const reply = { ...replyWith([]), body }
  expect(new ResponseCheck(false).problemIn(reply, userOf(1), answers)).toBeUndefined()
})

describe('problems of a response to two answers', () => {
  const sent = batchesOf(['u height 1', 'u weight 2']).flatMap(({ rows }) => rows)
  const id = '5151d12e-2f9a-4d7a-962f-fd85d23bd68b'
  const height = { lookup_key: 'height', value: 1, user_id: id }
  const weight = { lookup_key: 'weight', value: 2, user_id: id }
  const spelled = { ...weight, user_id: id.replaceAll('-', '').toUpperCase() }
  const differ = 'the answers in the response differ from the sent answers'
  const noList = 'the response is not a list of saved answers'

  test.each([
    ['both answers', [height, weight], undefined],
    ['both answers in another order', [weight, height], undefined],
    ['both answers with two spellings of the user ID', [height, spelled], undefined],
    ['one answer', [height], differ],
    ['one answer that is not in a list', height, differ],
    ['no answers', [], differ],
    ['three answers', [height, weight, weight], differ],
    ['one answer twice', [height, height], differ],
    ['another value', [height, { ...weight, value: 3 }], differ],
    ['another lookup key', [height, { ...weight, lookup_key: 'age' }], differ],
    [
      'exchanged values',
      [
        { ...height, value: 2 },
        { ...weight, value: 1 },
      ],
      differ,
    ],
    ['two users', [height, { ...weight, user_id: 'other' }], 'the response contains more than one user ID'],
    ['null instead of an answer', [height, null], noList],
    ['a number instead of an answer', [height, 2], noList],
    ['a lookup key that is not text', [height, { ...weight, lookup_key: 2 }], noList],
    ['a user ID that is not text', [height, { ...weight, user_id: 2 }], noList],
    ['an answer without a value', [height, { ...weight, value: undefined }], noList],
  ])('a response with %s to a request with two answers has this problem: %o', (_, body, problem) => {
    expect(new ResponseCheck(false).problemIn(replyWith(body), userOf(1), sent)).toBe(problem)
  })
})

const saved = (user_id: string) => replyWith([{ ...zero, user_id }])

test.each([
  ['with status 202', { status: 202 }, 'the service will save the answers later (202)'],
  ['without a body', { body: Buffer.from('') }, 'the response has no body'],
  ['that is not JSON', { body: Buffer.from('<html>') }, 'the response is not JSON'],
])('a response %s does not confirm an answer', (_, more, problem) => {
  expect(new ResponseCheck(false).problemIn({ ...saved('a'), ...more }, userOf(1), answers)).toBe(problem)
})

test('a single answer is also confirmed by a response with an object instead of a list', () => {
  const reply = replyWith({ ...zero, user_id: 'a' })
  expect(new ResponseCheck(false).problemIn(reply, userOf(1), answers)).toBeUndefined()
})

describe('the user ID in a response', () => {
  const other = 'the response contains another user’s ID'
  const claimed = 'the response contains the ID of another user of this file'

  test('the user ID in a response must be the ID in the row', () => {
    const problemOf = (id: string) => {
      const queue = new UserQueue({ kind: 'user_id', id: 'AB-12' })
      return new ResponseCheck(false).problemIn(saved(id), queue, answers)
    }
    expect([problemOf('ab12'), problemOf('ab13')]).toEqual([undefined, other])
  })

  test('the user ID in a response must be the same for each request of a user', () => {
    const check = new ResponseCheck(false)
    const queue = userOf(1)
    const problems = ['a', 'a', 'b'].map((id) => check.problemIn(saved(id), queue, answers))
    expect(problems).toEqual([undefined, undefined, other])
  })

  test('two users in a file may have the same user ID in their responses only if the file contains user IDs and external user IDs', () => {
    const problemsOf = (hasBothIds: boolean) => {
      const check = new ResponseCheck(hasBothIds)
      return [1, 2].map((n) => check.problemIn(saved('a'), userOf(n), answers))
    }
    expect([problemsOf(false), problemsOf(true)]).toEqual([
      [undefined, claimed],
      [undefined, undefined],
    ])
  })

  test('a problem is reported if a response contains a user ID that an earlier run received for another user', () => {
    const check = new ResponseCheck(false)
    check.recall(Float64Array.of(0, hashId('a'), 0))
    const known = userOf(1)
    known.userHash = hashId('a')
    const problems = [
      check.problemIn(saved('a'), known, answers),
      check.problemIn(saved('a'), userOf(2), answers),
      check.problemIn(saved('b'), userOf(3), answers),
    ]
    expect(problems).toEqual([undefined, claimed, undefined])
  })
})

describe('an import whose responses do not confirm the answers', () => {
  /** The error that stops the import after this number of identical responses. Undefined if the import continues. */
  const stopAfter = (count: number, reply: WireResponse, check = new ResponseCheck(false)) => {
    for (let n = 1; n < count; n++) check.noteProblem(reply, check.problemIn(reply, userOf(n), answers) ?? '')
    return check.noteProblem(reply, 'the problem')
  }

  test('an import does not stop because of unconfirmed answers if it received a confirmation earlier', () => {
    const check = new ResponseCheck(false)
    check.problemIn(saved('a'), userOf(100), answers)
    expect(stopAfter(50, replyWith({}), check)).toBeUndefined()
  })

  test.each([
    ['empty', { body: Buffer.from('') }],
    [
      'not JSON (text/html)',
      { body: Buffer.from('<p>'), headers: { 'content-type': 'text/html; charset=x' } },
    ],
    ['not JSON (no content type)', { body: Buffer.from('<p>') }],
    ['null', { body: Buffer.from('null') }],
    ['empty list', { body: Buffer.from('[]') }],
    ['list of string', { body: Buffer.from('["4711"]') }],
    [
      '{…: number, a_B: null, …: boolean, …: number}',
      { body: Buffer.from('{"x1":1,"a_B":null,"1x":true,"":2}') },
    ],
  ])(
    'an import whose responses do not confirm answers stops with an error that describes the response as "%s"',
    (shape, more) => {
      const reason = stopAfter(20, { ...replyWith(''), ...more })
      expect(reason).toMatchObject({
        code: 'import_stopped',
        message: 'none of the first 20 responses confirms that the answers were saved: the problem',
        details: {
          status: 201,
          hint: [`Status 201, response: ${shape}`, expect.any(String), { run: ['status'] }],
        },
      })
    },
  )
})
