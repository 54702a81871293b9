import { onTestFinished } from 'vitest'
import { AnswerService } from '../../../src/bulk/send/api-service.ts'
import { ServiceClock } from '../../../src/bulk/service-clock.ts'
import { fakeClock } from '../../helpers/clock.ts'
import { hostileServer, reply, type Script } from '../../helpers/hostile-server.ts'
import { testApi } from '../../http/client.ts'

export const user = { kind: 'external_user_id', id: 'a/b' } as const

/** Creates the service object of an import for the server at this URL. */
export function connect(url: string, signal = new AbortController().signal) {
  const serviceClock = new ServiceClock(fakeClock())
  const api = testApi(url, { signal })
  return {
    serviceClock,
    service: new AnswerService({
      send: api.attempt,
      serviceClock,
      timeoutMs: 30_000,
      pageParameter: 'seite',
    }),
  }
}

export async function serve(script: Script) {
  const server = await hostileServer(script)
  onTestFinished(() => server.close())
  return { server, ...connect(server.url) }
}

/** An answer in the service's list of answers. */
export const item = (value: unknown, more = {}) => ({
  question_lookup_key: 'height',
  answer: value,
  local_timestamp: '2026-01-01T00:00:00+00:00',
  ...more,
})

/** A page of the service's list of answers. */
export const page = (items: readonly unknown[], next: unknown = null) =>
  reply(200, { items, pagination: { next_page: next } })
