import { expect, test } from 'vitest'
import { close, cutReply, hang, refusingUrl, reply, reset, serve } from './hostile-server.ts'

test('a scripted reply arrives whole and the request is on record', async () => {
  const { url, requests } = await serve((request) => reply(201, { saw: request.target }))
  const response = await fetch(`${url}/v2/users?x=1`, { method: 'POST', body: '{"a":1}' })
  expect(response.status).toBe(201)
  expect(await response.json()).toEqual({ saw: '/v2/users?x=1' })
  expect(requests).toMatchObject([{ method: 'POST', body: '{"a":1}', index: 0, connection: 0 }])
})

test('a cut reply gives the status and then a broken body', async () => {
  const { url } = await serve(() => [cutReply(201, '{"long":true}', 5), close()])
  const response = await fetch(url)
  expect(response.status).toBe(201)
  await expect(response.text()).rejects.toThrow()
})

test('a reset is a connection reset, a hang ends by the caller’s time-out, a closed port refuses', async () => {
  const { url } = await serve((request) => (request.target === '/reset' ? reset() : hang()))
  await expect(fetch(`${url}/reset`)).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  await expect(fetch(`${url}/hang`, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
    name: 'TimeoutError',
  })
  await expect(fetch(await refusingUrl())).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
})
