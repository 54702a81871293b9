import { describe, expect, test } from 'vitest'
import { FacescanError } from '../../src/base/errors.ts'
import { createSender } from '../../src/http/transport.ts'
import type { Dispatcher, Receiver } from '../../src/http/wire.ts'
import { hang, serve } from '../helpers/hostile-server.ts'
import { createUser, getUser, respond, testApi } from './client.ts'

test('the client sends nothing if the command was stopped before the request', async () => {
  const server = await serve(respond)
  const stopped = AbortSignal.abort(new Error('no more'))
  const error = await createUser(testApi(server.url, { signal: stopped })).catch(
    (failure: unknown) => failure,
  )
  expect(error).toMatchObject({ message: 'no more' })
  await getUser(testApi(server.url))
  expect(server.requests.map(({ method }) => method)).toEqual(['GET'])
})

test('stopping a command aborts only the requests that are still active', async () => {
  const handlers: Receiver[] = []
  const aborted: number[] = []
  const controllerOf = (index: number) => {
    const abort = (reason: Error) => {
      aborted.push(index)
      handlers[index]?.onResponseError(controller, reason)
    }
    const controller = { abort }
    return controller
  }
  const dispatcher: Dispatcher = {
    dispatch: (_, handler) => handler.onRequestStart(controllerOf(handlers.push(handler) - 1)),
    destroy: async () => {},
  }
  const stopping = new AbortController()
  const request = { method: 'GET', origin: 'http://a.test', path: '/', route: '/', headers: {} } as const
  const start = createSender({ dispatcher, timeoutMs: 60_000, signal: stopping.signal })
  const end = (index: number) => {
    handlers[index]?.onResponseStart(controllerOf(index), 200, {})
    handlers[index]?.onResponseEnd()
  }
  const under = [
    start(request),
    start(request, { timeoutMs: 1 }),
    start(request),
    start(request),
    start(request),
    start(request),
  ]
  const outcomes = Promise.allSettled(under)
  await expect(under[1]).rejects.toThrow('no response within')
  // Requests 2 and 4 end. Request 0 started earlier and is still active.
  for (const index of [2, 4]) {
    end(index)
    expect(await under[index]).toMatchObject({ status: 200 })
  }
  expect(aborted.splice(0)).toEqual([1])
  stopping.abort()
  expect(aborted.toSorted()).toEqual([0, 3, 5])
  const over = (await outcomes).flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []))
  expect(over).toEqual([2, 4])
})

describe('a command that stops during a request', () => {
  const interrupted = new FacescanError('interrupted', 'stopped by Ctrl-C', { hint: 'As you wished.' })

  /** Calls a service that never responds. Aborts the call with `reason` after the request has arrived. */
  async function stopDuring(call: (api: ReturnType<typeof testApi>) => Promise<unknown>, reason: unknown) {
    const stopping = new AbortController()
    const server = await serve(() => {
      stopping.abort(reason)
      return hang()
    })
    const error = await call(testApi(server.url, { signal: stopping.signal })).catch((thrown) => thrown)
    expect(server.requests).toHaveLength(1)
    return error
  }

  test('the error for a command that stops during a change states that the change may have been applied', async () => {
    expect(await stopDuring(createUser, interrupted)).toMatchObject({
      code: 'interrupted',
      message: 'stopped by Ctrl-C',
      details: { retryable: false, hint: expect.stringContaining('may have been applied') },
    })
  })

  test('if a command stops during a request that only reads, its error contains no warning', async () => {
    expect(await stopDuring(getUser, interrupted)).toBe(interrupted)
  })

  test('if a command stops before it sends a change, its error contains no warning', async () => {
    const server = await serve(respond)
    const api = testApi(server.url, { signal: AbortSignal.abort(interrupted) })
    expect(await createUser(api).catch((thrown: unknown) => thrown)).toBe(interrupted)
    expect(server.requests).toHaveLength(0)
  })

  test('if a command stops during a request, its error contains the reason for the stop', async () => {
    const bug = new Error('a bug')
    expect(await stopDuring(createUser, bug)).toBe(bug)
  })
})
