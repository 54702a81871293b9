import { describe, expect, test } from 'vitest'
import { FacescanError, RefusedError } from '../../src/base/errors.ts'
import type { Step } from '../../src/http/chain.ts'
import { renderHints } from '../../src/output/hint.ts'
import { hastyClock } from '../helpers/clock.ts'
import { close, cutReply, hang, reply, reset, type Script, serve } from '../helpers/hostile-server.ts'
import { createUser, getUser, testApi, user } from './client.ts'

type Api = ReturnType<typeof testApi>
type Overrides = Parameters<typeof testApi>[1]

const updateUser = (api: Api) => api.users.update({ params: { user_id: user.user_id }, body: { sex: 'F' } })
const changeHint = 'The change may have been applied. Check the current data before you repeat the command.'

/** Sends a call to a server with this script. Returns the error, its hints, and the number of requests. */
async function fail(script: Script, call: (api: Api) => Promise<unknown>, overrides: Overrides = {}) {
  const server = await serve(script)
  const error = await call(testApi(server.url, overrides)).catch((thrown: unknown) => thrown)
  if (!(error instanceof FacescanError)) return expect.unreachable()
  return {
    error,
    hints: renderHints(error),
    requests: server.requests.length,
    host: new URL(server.url).host,
  }
}

describe('the error for a change after several attempts', () => {
  test.each([
    ['a creation', createUser, 1, { retryable: false, applied: 'maybe' }, changeHint],
    [
      'an update',
      updateUser,
      3,
      { retryable: true, applied: 'maybe' },
      'Try again later, or check the service: facescan doctor --network',
    ],
  ] as const)(
    'the error for %s with status 500 contains a warning only if it is unsafe to repeat the command',
    async (_, call, sent, details, hint) => {
      const { error, hints, requests } = await fail(() => reply(500), call)
      expect([error.code, requests, hints]).toEqual(['server', sent, hint])
      expect(error.details).toMatchObject(details)
    },
  )

  test.each([
    ['a read', getUser, 3, true, /^Try again/],
    ['an update', updateUser, 3, true, changeHint],
    ['a creation', createUser, 1, false, changeHint],
  ] as const)(
    'the error for %s after incomplete responses states whether the command can be repeated',
    async (_, call, sent, retryable, hint) => {
      const { error, hints, requests } = await fail(
        () => [cutReply(200, '{"user_id": "1"}', 5), close()],
        call,
      )
      expect([error.code, requests]).toEqual(['network', sent])
      expect(hints).toMatch(hint)
      expect(error.details).toMatchObject({ status: 200, retryable, applied: 'maybe' })
    },
  )

  test.each([
    ['a read', getUser, 'Check whether a proxy compresses the response.'],
    ['an update', updateUser, changeHint],
    ['a creation', createUser, changeHint],
  ] as const)(
    'if the response has an unknown compression, the error for %s is not retryable',
    async (_, call, hint) => {
      const { error, hints, requests } = await fail(
        () => reply(200, '{}', { 'content-encoding': 'zstd' }),
        call,
      )
      expect([error.code, requests, hints]).toEqual(['network', 1, hint])
      expect(error).toMatchObject({ notSent: false, details: { status: 200, retryable: false } })
    },
  )

  test('if the response with a new action token is incomplete, the error is retryable', async () => {
    const authenticate = (api: Api) => api.users.authenticate({ user: { external_user_id: '4711' } })
    const { error, requests } = await fail(() => [cutReply(201, '{"token": "t"}', 5), close()], authenticate)
    expect([requests, error.details.retryable]).toEqual([1, true])
  })

  test('an incomplete response with status 404 shows that an update was not applied', async () => {
    const { error, hints, requests } = await fail(
      () => [cutReply(404, '{"detail": "no"}', 5), close()],
      updateUser,
    )
    expect(requests).toBe(1)
    expect(hints).toMatch(/^Try again/)
    expect(error.details).toMatchObject({ status: 404, applied: 'no' })
  })

  test('if an update is rejected after a lost response, the error is not retryable and states that the update may have been applied', async () => {
    const { error, hints } = await fail(({ index }) => (index === 0 ? reset() : reply(400)), updateUser)
    expect([error.code, hints]).toEqual(['rejected', changeHint])
    expect(error.details).toMatchObject({ status: 400, retryable: false, applied: 'maybe' })
  })

  test('a request to create a user counts as sent if no response arrives', async () => {
    const { error } = await fail(() => reset(), createUser)
    expect(error).toMatchObject({ code: 'network', notSent: false, details: { retryable: false } })
  })
})

describe('a refusal or a stop before the second attempt', () => {
  /** Refuses the second attempt of each call, as if the profile had become read-only. */
  const refuseSecond: Step = (call, next) =>
    call.attempt === 1 ? next(call) : Promise.reject(new RefusedError('read-only', { applied: 'no' }))

  test('if the response to an update is lost and the retry is refused, the error reports the lost response', async () => {
    const { error, hints } = await fail(() => reset(), updateUser, { perAttempt: [refuseSecond] })
    expect([error.code, hints]).toEqual(['network', changeHint])
    expect(error.details).toMatchObject({ retryable: false, applied: 'maybe' })
  })

  test('if an update gets status 429 and the retry is refused, the error states that nothing was applied', async () => {
    const { error } = await fail(() => reply(429), updateUser, { perAttempt: [refuseSecond] })
    expect(error).toMatchObject({ code: 'refused', message: 'read-only', details: { applied: 'no' } })
  })

  const interrupted = new FacescanError('interrupted', 'stopped by Ctrl-C', { hint: 'As you wished.' })
  const stop = () => Promise.reject(interrupted)

  test.each([
    ['an update after a lost response', updateUser, reset(), 'maybe'],
    ['an update after status 429', updateUser, reply(429), 'no'],
    ['a creation after status 429', createUser, reply(429), 'no'],
  ] as const)('if Ctrl-C stops %s, the error keeps its hint', async (_, call, step, applied) => {
    const { error, hints } = await fail(() => step, call, { pause: stop })
    expect([error.code, hints, error.details.applied]).toEqual(['interrupted', 'As you wished.', applied])
    expect(error.details.retryable).toBeUndefined()
  })

  test('if an update is stopped during its request, the error keeps its hint', async () => {
    const stopping = new AbortController()
    const script = () => {
      stopping.abort(interrupted)
      return hang()
    }
    const { error, hints } = await fail(script, updateUser, { signal: stopping.signal })
    expect([error.code, hints, error.details.applied]).toEqual(['interrupted', 'As you wished.', 'maybe'])
  })
})

describe('the error for status 404', () => {
  const list = (api: Api) => api.questions.all()

  test.each([
    [{ detail: 'no such page' }, ': no such page'],
    ['', ''],
  ])(
    'if a request that names no user gets status 404 (body: %o), the error names the endpoint and the host',
    async (body, end) => {
      const { error, host } = await fail(() => reply(404, body), list)
      expect(error.message).toBe(`GET /v2/questions/all not found on ${host} (404)${end}`)
      expect(error.details.missing).toBe('address')
    },
  )

  test.each([
    [{ detail: 'no such user' }, 'user'],
    ['<html>', 'address'],
  ])(
    'if a request with a user ID gets a 404 with the body %o, the error reports an unknown %s',
    async (body, missing) => {
      const { error } = await fail(() => reply(404, body), getUser)
      expect(error.details.missing).toBe(missing)
    },
  )
})

describe('the error for a rejected action token', () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const at = '2026-01-02T03:04:05.000Z'
  const token = `${encode({})}.${encode({ exp: Date.parse(at) / 1000 })}.c2ln`
  const advice = (api: Api) => api.withToken(token).recommendations({})

  test.each([
    ['when the token expires', 0, at],
    ['before the token expires', -1, undefined],
    ['after the token has expired', 1, at],
  ])(
    'if an action token is rejected %s (%s ms), the error contains the expiry time only if the token has expired',
    async (_, laterMs, expiredAt) => {
      const clock = hastyClock(Date.parse(at) + Number(laterMs))
      const { error } = await fail(() => reply(401), advice, { clock })
      expect(error.details.refused).toEqual({ kind: 'token', source: 'this command', expiredAt })
    },
  )

  test('an API key that looks like an expired token has no expiry time', async () => {
    const credential = { kind: 'key', value: token, source: 'the test' } as const
    const { error } = await fail(() => reply(401), getUser, { credential, clock: hastyClock(Date.parse(at)) })
    expect(error.details.refused).toEqual({ kind: 'key', source: 'the test', expiredAt: undefined })
  })
})
