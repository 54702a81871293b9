import { uptimeMs } from '../base/clock.ts'
import type { Handle } from '../sandbox/service.ts'
import type { Call } from './chain.ts'
import type { WireResponse } from './wire.ts'

/** Maximum number of calls in one iteration of the event loop. More calls would delay signals and progress. */
const callsPerTurn = 32

/** The last step of a call if the service runs in this process. It uses no socket. `close` waits for active calls. */
export function callDirectly(handle: Handle, signal: AbortSignal) {
  const waiting: (() => void)[] = []
  const active = new Set<Promise<unknown>>()
  const startTurn = () => {
    if (waiting.length > callsPerTurn) setImmediate(startTurn)
    for (const start of waiting.splice(0, callsPerTurn)) start()
  }
  return {
    async send({ request }: Pick<Call, 'request'>): Promise<WireResponse> {
      const { method, origin, path, headers, body = '' } = request
      const startedAt = uptimeMs()
      await new Promise<void>((start) => {
        if (waiting.push(start) === 1) setImmediate(startTurn)
      })
      signal.throwIfAborted()
      const answer = handle({ method, url: origin + path, headers, body: [Buffer.from(body)] })
      active.add(answer)
      const response = await answer.finally(() => active.delete(answer))
      const { status, headers: received, body: text } = response
      return { status, headers: received, body: Buffer.from(text), durationMs: uptimeMs() - startedAt }
    },
    close: () => Promise.allSettled(active),
  }
}
