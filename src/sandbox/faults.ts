import type { IncomingMessage } from 'node:http'
import type { Clock } from '../base/clock.ts'
import { shortHash } from '../base/text.ts'

/** Simulated faults. Probabilities are per request, from 0 to 1. */
export interface Faults {
  latencyMs: number
  /** Statuses that replace the real response. If the status is 5xx, half of the changes are applied anyway. */
  fail: readonly { status: number; probability: number }[]
  /** Probability of a connection reset. Half of the changes whose connection is reset are applied anyway. */
  reset: number
  /** Probability of a connection reset before the change is applied. The change is applied up to `lateMs` later. */
  lateApply: number
  lateMs: number
  /** Number of requests per second above which the sandbox returns 429 (default: no limit). */
  rateLimit?: number | undefined
  seed: number
}

/** The TCP connection of a request, from hono's adapter for Node. */
export interface Connection {
  incoming: Pick<IncomingMessage, 'socket'>
}

export type Handler = (request: Request, connection: Connection) => Response | Promise<Response>

/** Adds faults that depend on the seed, the request, and the number of identical requests before, but not on other requests. */
export function withFaults(handler: Handler, faults: Faults, clock: Clock): Handler {
  const draw = createDraw(faults.seed)
  const allow = createLimit(faults.rateLimit, clock)
  return async (request, connection) => {
    const copy = request.clone()
    const chance = draw(request, await copy.text())
    if (faults.latencyMs > 0) await clock.sleep(faults.latencyMs)
    if (!allow()) return problem(429, { 'retry-after': '1' })
    const changes = request.method !== 'GET'
    if (changes && chance('late') < faults.lateApply) {
      const delayMs = chance('late by') * faults.lateMs
      void clock.sleep(delayMs).then(() => handler(request, connection))
      return cut(connection)
    }
    const applied = !changes || chance('applied') < 0.5
    if (chance('reset') < faults.reset) {
      if (applied) await handler(request, connection)
      return cut(connection)
    }
    const failure = pick(faults.fail, chance('fail'))
    if (failure === undefined) return handler(request, connection)
    if (applied && failure >= 500) await handler(request, connection)
    return problem(failure, failure === 429 ? { 'retry-after': '1' } : {})
  }
}

function pick(failures: Faults['fail'], chance: number): number | undefined {
  let reached = 0
  for (const { status, probability } of failures) {
    reached += probability
    if (chance < reached) return status
  }
  return undefined
}

const hashDigits = 12

function createDraw(seed: number): (request: Request, body: string) => (what: string) => number {
  const seen = new Map<string, number>()
  return ({ method, url }, body) => {
    const { pathname, search } = new URL(url)
    const key = shortHash(`${seed} ${method} ${pathname}${search} ${body}`, hashDigits)
    const times = seen.get(key) ?? 0
    seen.set(key, times + 1)
    return (what) => Number.parseInt(shortHash(`${key} ${times} ${what}`, hashDigits), 16) / 16 ** hashDigits
  }
}

/** Creates a rate limiter (a token bucket). The bucket has space for the requests of one second, and for at least one request. */
function createLimit(perSecond: number | undefined, clock: Clock): () => boolean {
  if (perSecond === undefined) return () => true
  const capacity = Math.max(1, perSecond)
  let [tokens, at] = [capacity, clock.monotonic()]
  return () => {
    const now = clock.monotonic()
    tokens = Math.min(capacity, tokens + ((now - at) / 1000) * perSecond)
    at = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}

function problem(status: number, headers: Record<string, string>): Response {
  return Response.json({ detail: 'a simulated fault' }, { status, headers })
}

function cut({ incoming }: Connection): Response {
  incoming.socket.resetAndDestroy()
  return new Response(null, { status: 500 })
}
