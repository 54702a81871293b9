import { expect, test } from 'vitest'
import type { Step } from '../../src/http/chain.ts'
import { hang, reply, reset, serve, wait } from '../helpers/hostile-server.ts'
import { createUser, getUser, respond, testApi } from './client.ts'

test('the steps in perCall run once per call, and the steps in perAttempt run for each attempt', async () => {
  const server = await serve((request) =>
    request.index === 0 ? reply(503) : request.index === 1 ? reset() : respond(request),
  )
  const log: string[] = []
  const record =
    (name: string): Step =>
    async (call, next) => {
      log.push(`${name} ${call.attempt}`)
      try {
        const response = await next(call)
        log.push(`${name} ${call.attempt}: ${response.status}`)
        return response
      } catch (error) {
        log.push(`${name} ${call.attempt}: failure`)
        throw error
      }
    }
  await getUser(
    testApi(server.url, {
      perCall: [record('call')],
      perAttempt: [record('attempt')],
      pause: async (delayMs, reason) => void log.push(`wait ${delayMs}: ${reason}`),
    }),
  )
  expect(log).toEqual([
    'call 1',
    'attempt 1',
    'attempt 1: 503',
    'wait 250: the service returned 503',
    'attempt 2',
    'attempt 2: failure',
    'wait 500: the connection failed',
    'attempt 3',
    'attempt 3: 200',
    'call 1: 200',
  ])
})

test('the client sends nothing if a step in perCall throws an error', async () => {
  const server = await serve(respond)
  const refuse = async () => Promise.reject(new Error('not today'))
  await expect(createUser(testApi(server.url, { perCall: [refuse] }))).rejects.toThrow('not today')
  expect(server.requests).toHaveLength(0)
})

test('if a call is limited to one attempt, a response with an error status is returned and no error is thrown', async () => {
  const server = await serve((request) => (request.index === 0 ? reply(503, 'away') : [wait(1), hang()]))
  const api = testApi(server.url)
  const input = { body: { external_user_id: '4711' } }
  expect(await api.attempt(api.contract.users.create, input)).toMatchObject({ status: 503 })
  await expect(api.attempt(api.contract.users.create, input, { timeoutMs: 1_000 })).rejects.toMatchObject({
    notSent: false,
  })
  await expect.poll(() => server.requests.length).toBe(2)
})
