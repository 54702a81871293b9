import { expect, test } from 'vitest'
import { readProblems, reasonToKeep } from '../../../src/bulk/send/outcomes.ts'
import type { Answer } from '../../../src/bulk/types.ts'

const reply = (status: number, body: unknown) => ({
  status,
  headers: {},
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
})

const answer: Answer = {
  row: 0,
  line: 2,
  offset: 0,
  user: { kind: 'external_user_id', id: 'patient-7' },
  lookup_key: 'height',
  value: 171,
  timezone: 'UTC',
}

test('the reason for a rejected row is the message of the response, or the status if there is no message', () => {
  expect(readProblems(reply(400, { detail: 'bad\nvalue' })).whole).toEqual({
    code: 'refused_400',
    message: 'bad value',
  })
  for (const body of ['<html>', 'null', '"text"', '7', '[]', '{}', '{"detail":{}}'])
    expect(readProblems(reply(413, body)).whole.message).toBe('the service responded with 413')
  expect(readProblems(reply(400, { detail: ' bad\r\n\tvalue ' })).whole.message).toBe('bad value')
})

test('each problem in a response with status 422 is assigned to the row at its position', () => {
  const { byRow } = readProblems(
    reply(422, {
      detail: [
        { loc: ['body', 2, 'value'], msg: 'too large', type: 'value_error' },
        { loc: ['body', 0, 'lookup_key'], msg: 'unknown' },
        { loc: ['body', 2, 'timezone'], msg: 'unknown zone' },
      ],
    }),
  )
  expect(byRow).toEqual(
    new Map([
      [2, { code: 'refused_422', message: 'value: too large; timezone: unknown zone' }],
      [0, { code: 'refused_422', message: 'lookup_key: unknown' }],
    ]),
  )
})

test.each([
  [
    'a problem without a position',
    [
      { loc: ['body', 1], msg: 'a' },
      { loc: ['body'], msg: 'b' },
    ],
  ],
  ['a problem without the field loc', [{ msg: 'a' }]],
  ['a position outside the body', [{ loc: ['query', 0], msg: 'a' }]],
  ['problems that are not objects', ['a', 3]],
  ['a problem that is null', [null]],
  ['a loc that is not a list', [{ loc: 'body', msg: 'a' }]],
  ['an empty list of problems', []],
])('a response with status 422 and %s does not identify the rejected row', (_, detail) => {
  expect(readProblems(reply(422, { detail })).byRow).toBeUndefined()
})

test('the saved reason for a rejected row masks the user ID and the answers', () => {
  const cause = { code: 'c', message: 'user patient-7: 171 is above 170, 1712 would be too' }
  expect(reasonToKeep(cause, answer.user, [answer]).message).toBe('user …: … is above 170, 1712 would be too')
  expect(reasonToKeep({ code: 'c', message: 'a.b+c' }, { kind: 'user_id', id: 'a.b+c' }, []).message).toBe(
    '…',
  )
})

test("the saved reason for a row's state contains no percent-encoded user ID and no value of the batch", () => {
  const user = { kind: 'external_user_id', id: 'ada@home 4711' } as const
  const message = 'at /v2/x/ada%40home%204711?id=ada%40home+4711 (ada@home 4711): 171, 65 and 66'
  expect(reasonToKeep({ code: 'c', message }, user, [answer, { ...answer, value: 66 }]).message).toBe(
    'at /v2/x/…?id=… (…): …, 65 and …',
  )
})

test('the saved reason for the state of a row has at most 200 characters and contains no part of an ID or a value', () => {
  const keep = (message: string) => reasonToKeep({ code: 'c', message }, answer.user, [answer]).message
  expect(keep('x'.repeat(200))).toBe('x'.repeat(200))
  expect(keep('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`)
  for (let before = 185; before < 205; before++) {
    expect(keep(`${'x'.repeat(before)} patient-7: 171 is too much`)).not.toMatch(/p|1/)
  }
})
