import { expect, test } from 'vitest'
import { NetworkError } from '../../../src/base/errors.ts'
import { stopError } from '../../../src/bulk/send/attempt.ts'
import { type Action, decide as decideAt } from '../../../src/bulk/send/outcomes.ts'
import { explainTransport } from '../../../src/http/network-errors.ts'
import { TunnelRefused } from '../../../src/http/proxy.ts'
import { renderHints } from '../../../src/output/hint.ts'

const decide = (outcome: Parameters<typeof decideAt>[0], rows: number) => decideAt(outcome, rows, 0)

const reply = (status: number, body: unknown = '') => ({
  status,
  headers: {},
  durationMs: 1,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
})

test.each([
  [408, 'reconcile'],
  [425, 'retry'],
  [501, 'stop'],
  [500, 'reconcile'],
  [503, 'reconcile'],
  [599, 'reconcile'],
  [199, 'reconcile'],
  [429, 'retry'],
  [413, 'halve'],
  [400, 'bisect'],
  [409, 'bisect'],
  [422, 'bisect'],
  [401, 'stop'],
  [403, 'stop'],
  [404, 'look up user'],
  [300, 'stop'],
  [307, 'stop'],
  [399, 'stop'],
  [402, 'stop'],
  [418, 'stop'],
] satisfies [number, Action['do']][])(
  'for a response with status %i, the next action of an import is "%s"',
  (status, what) => {
    expect(decide(reply(status), 3).do).toBe(what)
  },
)

test.each([
  ['User not found', 'look up user'],
  ['Bad request: the user "K-1" does not exist', 'look up user'],
  ['user 4711 was not found', 'look up user'],
  ['user language not found', 'bisect'],
  ['user field "weight" does not exist', 'bisect'],
  ['the key of the user was not found', 'bisect'],
  [[{ loc: ['query', 'user_id'], msg: 'user not found' }], 'look up user'],
  [[{ loc: ['body', 1, 'lookup_key'], msg: 'user not found' }], 'reject'],
])(
  'for a response with status 422 and the detail %j, the next action of an import is "%s"',
  (detail, what) => {
    expect(decide(reply(422, { detail }), 3).do).toBe(what)
  },
)

test('status 500 counts as a failure of the service, but status 408 and a lost response do not', () => {
  expect(decide(reply(500), 3)).toEqual({ do: 'reconcile', failing: true })
  expect(decide(reply(408), 3)).toEqual({ do: 'reconcile', failing: false })
  expect(decide(new NetworkError('reset', false), 3)).toEqual({ do: 'reconcile', failing: false })
})

test('an import retries a request that did not reach the service', () => {
  expect(decide(new NetworkError('refused', true), 3)).toEqual({ do: 'retry' })
})

test('an import stops after status 407 with an error that names the proxy', () => {
  expect(decide(reply(407), 3)).toMatchObject({
    error: { code: 'import_stopped', message: 'a proxy requires a username and password (407)' },
  })
  const refusalOf = (status: number) => {
    const cause = new TunnelRefused(status)
    const url = new URL('https://service.test')
    const { message, hint, final } = explainTransport(cause, url, new URL('http://me:secret@proxy.test:3128'))
    return decide(new NetworkError(message, true, { hint, retryable: !final, cause }), 3)
  }
  expect(refusalOf(407)).toMatchObject({
    do: 'stop',
    error: {
      code: 'import_stopped',
      message: 'proxy proxy.test:3128: username and password required (407)',
      details: { hint: expect.stringContaining('HTTPS_PROXY=http://NAME:PASSWORD@HOST:PORT') },
    },
  })
  expect(refusalOf(403)).toMatchObject({ do: 'stop' })
  expect(refusalOf(502)).toEqual({ do: 'retry' })
})

const item = (row: unknown, msg = 'bad') => ({ loc: ['body', row], msg })
const cause = { code: 'refused_422', message: 'bad' }

test.each([
  ['the positions of several rows', 3, [item(0), item(2)], [0, 2]],
  ['a position after the last row', 3, [item(0), item(3)], undefined],
  ['a problem without a position', 3, [item(0), { msg: 'bad' }], undefined],
  ['a negative position', 3, [item(-1)], undefined],
  ['an empty list of problems', 3, [], undefined],
  ['any position for a single row', 1, [item(7)], [0]],
  ['no position for a single row', 1, [{ msg: 'bad' }], [0]],
])(
  'if a response with status 422 contains %s, an import rejects rows or splits the batch',
  (_, rows, detail, refused) => {
    const action = decide(reply(422, { detail }), rows)
    if (refused === undefined) expect(action.do).toBe('bisect')
    else expect(action).toEqual({ do: 'reject', rows: new Map(refused.map((row) => [row, cause])) })
  },
)

test.each([
  [1, 'reject'],
  [2, 'halve'],
] satisfies [number, Action['do']][])(
  'after status 413 for a batch of %i rows, the next action of an import is "%s"',
  (rows, what) => {
    expect(decide(reply(413), rows).do).toBe(what)
  },
)

test('a single row with status 422 is rejected with the message of the response', () => {
  const detail = [item(0, 'of it'), item(1, 'of another')]
  const rejected = decide(reply(422, { detail }), 1)
  expect(rejected).toEqual({ do: 'reject', rows: new Map([[0, { ...cause, message: 'of it' }]]) })
})

test.each([
  [401, 'unauthenticated', 3],
  [403, 'forbidden', 5],
  [404, 'not_found', 4],
  [300, 'import_stopped', 11],
  [399, 'import_stopped', 11],
  [418, 'rejected', 6],
  [400, 'rejected', 6],
])(
  'the error of an import that stops after status %i has the code %s and exit code %i',
  (status, code, exitCode) => {
    const error = stopError(status)
    expect(error).toMatchObject({ code, exitCode, message: expect.stringContaining(`(${status})`) })
    expect([error.details.status, renderHints(error)]).toEqual([
      status,
      expect.stringContaining('No rows were lost'),
    ])
  },
)

test('the error for status 302 states that the response is a redirect', () => {
  expect(stopError(302).message).toContain('redirect')
  expect(stopError(418).message).not.toContain('redirect')
})
