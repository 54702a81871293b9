import { expect, test } from 'vitest'
import { close, cutReply, hang, refusingUrl, reply, reset, serve } from './hostile-server.ts'

test('the hostile server sends a scripted response unchanged and records the request', async () => {
  const { url, requests } = await serve((request) => reply(201, { saw: request.target }))
  const response = await fetch(`${url}/v2/users?x=1`, { method: 'POST', body: '{"a":1}' })
  expect(response.status).toBe(201)
  expect(await response.json()).toEqual({ saw: '/v2/users?x=1' })
  expect(requests).toMatchObject([{ method: 'POST', body: '{"a":1}', index: 0, connection: 0 }])
})

test('a truncated response from the hostile server has a status and an incomplete body', async () => {
  const { url } = await serve(() => [cutReply(201, '{"long":true}', 5), close()])
  const response = await fetch(url)
  expect(response.status).toBe(201)
  await expect(response.text()).rejects.toThrow()
})

test('the hostile server can reset a connection or never respond, and a closed port refuses connections', async () => {
  const { url } = await serve((request) => (request.target === '/reset' ? reset() : hang()))
  await expect(fetch(`${url}/reset`)).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  await expect(fetch(`${url}/hang`, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
    name: 'TimeoutError',
  })
  await expect(fetch(await refusingUrl())).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
})
