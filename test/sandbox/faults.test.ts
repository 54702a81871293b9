import type { AddressInfo } from 'node:net'
import { type HttpBindings, serve } from '@hono/node-server'
import { expect, onTestFinished, test } from 'vitest'
import { type Faults, withFaults } from '../../src/sandbox/faults.ts'
import { fakeClock, realClock } from '../helpers/clock.ts'

const none: Faults = { latencyMs: 0, fail: [], reset: 0, lateApply: 0, lateMs: 0, seed: 7 }

/** A server with simulated faults. It records the requests that it applies. */
async function faultyServer(faults: Partial<Faults>, clock = realClock) {
  const applied: string[] = []
  const handler = withFaults(
    async (request) => {
      applied.push(`${request.method} ${new URL(request.url).pathname} ${await request.text()}`)
      return Response.json({ fine: true }, { status: 201 })
    },
    { ...none, ...faults },
    clock,
  )
  const server = serve({
    fetch: (request, env) => handler(request, env as HttpBindings),
    port: 0,
    hostname: '127.0.0.1',
  })
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { applied, url: `http://127.0.0.1:${port}` }
}

/** The results of requests that are sent one after another, as a client sees them. */
async function outcomes(url: string, bodies: readonly string[]): Promise<string[]> {
  const seen: string[] = []
  for (const body of bodies) {
    const response = fetch(url, { method: 'POST', body, headers: { connection: 'close' } })
    seen.push(await response.then(({ status }) => String(status)).catch((error) => error.cause.code))
  }
  return seen
}

const bodies = Array.from({ length: 200 }, (_, n) => `{"value":${n}}`)

test('a sandbox without simulated faults responds normally', async () => {
  const { url, applied } = await faultyServer({})
  expect(await outcomes(url, bodies.slice(0, 3))).toEqual(['201', '201', '201'])
  expect(applied[2]).toBe('POST / {"value":2}')
})

test('sandboxes with the same seed simulate the same faults for the same requests in any order', async () => {
  const faults = { fail: [{ status: 503, probability: 0.3 }], reset: 0.2 }
  const [first, again, other] = [
    await faultyServer(faults),
    await faultyServer(faults),
    await faultyServer({ ...faults, seed: 8 }),
  ]
  const seen = await outcomes(first.url, bodies)
  expect((await outcomes(again.url, bodies.toReversed())).toReversed()).toEqual(seen)
  expect(again.applied.toSorted()).toEqual(first.applied.toSorted())
  expect(await outcomes(other.url, bodies)).not.toEqual(seen)
})

test('half of the changes with a simulated 503 or reset are applied, and none with a simulated 422', async () => {
  const failing = await faultyServer({ fail: [{ status: 503, probability: 1 }] })
  expect(new Set(await outcomes(failing.url, bodies))).toEqual(new Set(['503']))
  expect(failing.applied.length).toBeGreaterThan(60)
  expect(failing.applied.length).toBeLessThan(140)
  const resetting = await faultyServer({ reset: 1 })
  expect(new Set(await outcomes(resetting.url, bodies))).toEqual(new Set(['ECONNRESET']))
  expect(resetting.applied.length).toBeGreaterThan(60)
  expect(resetting.applied.length).toBeLessThan(140)
  const refusing = await faultyServer({ fail: [{ status: 422, probability: 1 }] })
  expect(new Set(await outcomes(refusing.url, bodies))).toEqual(new Set(['422']))
  expect(refusing.applied).toEqual([])
})

test('a request that is sent again can succeed after a simulated fault', async () => {
  const { url } = await faultyServer({ fail: [{ status: 503, probability: 0.5 }] })
  const seen = await outcomes(url, Array(40).fill('same'))
  expect(new Set(seen)).toEqual(new Set(['201', '503']))
})

test('if a simulated fault delays a change, the connection is closed first and the change is applied later', async () => {
  const clock = fakeClock()
  const { url, applied } = await faultyServer({ lateApply: 1, lateMs: 1000 }, clock)
  expect(await outcomes(url, ['a'])).toEqual(['ECONNRESET'])
  expect(applied).toEqual([])
  await clock.advance(1000)
  expect(applied).toEqual(['POST / a'])
})

test('requests above the simulated rate limit get 429 until the time in Retry-After', async () => {
  const clock = fakeClock()
  const { url, applied } = await faultyServer({ rateLimit: 2 }, clock)
  expect(await outcomes(url, ['a', 'b', 'c'])).toEqual(['201', '201', '429'])
  expect((await fetch(url, { method: 'POST' })).headers.get('retry-after')).toBe('1')
  await clock.advance(500)
  expect(await outcomes(url, ['d', 'e'])).toEqual(['201', '429'])
  expect(applied.length).toBe(3)
})

test('a simulated rate limit of 0.5 requests per second allows one request every two seconds', async () => {
  const clock = fakeClock()
  const { url } = await faultyServer({ rateLimit: 0.5 }, clock)
  expect(await outcomes(url, ['a', 'b'])).toEqual(['201', '429'])
  await clock.advance(2000)
  expect(await outcomes(url, ['c', 'd'])).toEqual(['201', '429'])
})

test('simulated latency delays a request', async () => {
  const clock = fakeClock()
  const { url } = await faultyServer({ latencyMs: 50 }, clock)
  const response = fetch(url)
  while (clock.sleeps.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  expect(clock.sleeps).toEqual([50])
  await clock.advance(50)
  expect((await response).status).toBe(201)
})
