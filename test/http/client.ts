import { onTestFinished } from 'vitest'
import { checkBody } from '../../src/http/body-check.ts'
import { chain, type Step } from '../../src/http/chain.ts'
import { type Api, type ClientOptions, createApi } from '../../src/http/client.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import type { RetryOptions } from '../../src/http/retry.ts'
import { retry } from '../../src/http/retry.ts'
import { type SendOptions, transport } from '../../src/http/transport.ts'
import { hastyClock } from '../helpers/clock.ts'
import { reply, type Script } from '../helpers/hostile-server.ts'

export const testKey = 'key.0!1-2_3@4.5!6-7_8@9.0!1-2_3@4.5!6-7_'

type Options = Omit<RetryOptions, 'clock'> & SendOptions & Pick<ClientOptions, 'credential'>

interface Overrides extends Partial<Options> {
  clock?: ReturnType<typeof hastyClock>
  /** Steps that run once per call, before the check of the body. The steps in `perAttempt` run before each attempt is sent. */
  perCall?: readonly Step[]
  perAttempt?: readonly Step[]
}

/** A client with a fake clock, so it does not wait. The random number is always 0.5, so each delay is half of its maximum. */
export function testApi(baseUrl: string, overrides: Overrides = {}): Api {
  const {
    clock = hastyClock(),
    perCall = [],
    perAttempt = [],
    signal = new AbortController().signal,
  } = overrides
  const { dispatcher = openDispatcher(baseUrl), credential } = {
    credential: { kind: 'key', value: testKey, source: 'the test' } as const,
    ...overrides,
  }
  const options = {
    clock,
    random: () => 0.5,
    timeoutMs: 5_000,
    retries: 2,
    maxWaitMs: 60_000,
    pause: (delayMs: number) => clock.sleep(delayMs, signal),
    ...overrides,
    signal,
    dispatcher,
  }
  const url = new URL(baseUrl)
  const attempt = chain(perAttempt, transport(options))
  return createApi({
    baseUrl: url,
    credential,
    userAgent: 'facescan-cli/test',
    call: chain([...perCall, checkBody(url), retry(options)], attempt),
    attempt,
  })
}

function openDispatcher(baseUrl: string) {
  const dispatcher = createDispatcher({ origin: new URL(baseUrl).origin, env: {}, connectTimeoutMs: 30_000 })
  onTestFinished(() => dispatcher.destroy())
  return dispatcher
}

export function countAttempts(): { step: Step; count(): number } {
  let attempts = 0
  return {
    step: (call, next) => {
      attempts++
      return next(call)
    },
    count: () => attempts,
  }
}

export const user = { user_id: '5151d12e-2f9a-4d7a-962f-fd85d23bd68b', customer: 'Acme' }
/** Responds to each request with this user. */
export const respond: Script = ({ method }) => reply(method === 'POST' ? 201 : 200, user)
export const getUser = (api: ReturnType<typeof testApi>) =>
  api.users.get({ user: { external_user_id: '4711' } })
export const createUser = (api: ReturnType<typeof testApi>) =>
  api.users.create({ body: { external_user_id: '4711' } })
