import { onTestFinished } from 'vitest'
import { type Api, type ClientOptions, createApi } from '../../src/http/client.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { hastyClock } from '../helpers/clock.ts'

export const testKey = 'key.0!1-2_3@4.5!6-7_8@9.0!1-2_3@4.5!6-7_'

/** A client with a clock that never waits. `random` is 1/2, so a delay is half of its maximum. */
export function testApi(baseUrl: string, overrides: Partial<ClientOptions> = {}): Api {
  const dispatcher = createDispatcher({ origin: new URL(baseUrl).origin, env: {}, connectTimeoutMs: 2_000 })
  onTestFinished(() => dispatcher.destroy())
  return createApi({
    baseUrl: new URL(baseUrl),
    credential: { kind: 'key', value: testKey, source: 'the test' },
    dispatcher,
    clock: hastyClock(),
    random: () => 0.5,
    signal: new AbortController().signal,
    userAgent: 'facescan-cli/test',
    timeoutMs: 5_000,
    retries: 2,
    maxWaitMs: 60_000,
    observers: [],
    before: async () => undefined,
    after: () => undefined,
    mismatch: () => undefined,
    ...overrides,
  })
}
