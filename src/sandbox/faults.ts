import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Clock } from '../base/io.ts'

/** What a rehearsal goes through. Probabilities are from 0 to 1, for each request. */
export interface Faults {
  latencyMs: number
  /** Replies with this status instead of the real one; with a 5xx, half of the changes are applied all the same. */
  fail: readonly { status: number; probability: number }[]
  /** The connection is reset; half of the changes are applied all the same. */
  reset: number
  /** The connection is reset at once, and the change is applied up to `lateMs` later. */
  lateApply: number
  lateMs: number
  /** Requests a second beyond which the answer is 429; absent means no limit. */
  rateLimit?: number | undefined
  seed: number
}

/** The raw connection behind a request, as the Node adapter of the HTTP framework hands it over. */
export interface Connection {
  incoming: Pick<IncomingMessage, 'socket'>
}

export type Handler<C extends Connection = Connection> = (
  request: Request,
  connection: C,
) => Response | Promise<Response>

/**
 * Puts faults in front of a handler. What happens to a request is drawn from the seed, the request itself and how often
 * the same request came before, so that a rehearsal repeats itself whatever order its requests arrive in.
 */
export function withFaults<C extends Connection>(
  handler: Handler<C>,
  faults: Faults,
  clock: Clock,
): Handler<C> {
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

/** One line for each fault, for the person who starts a rehearsal. */
export function describeFaults(faults: Faults): string[] {
  const percent = (probability: number) => `${Math.round(probability * 1000) / 10} %`
  const lines = faults.fail.map(({ status, probability }) => `${percent(probability)} answered ${status}`)
  if (faults.latencyMs > 0) lines.unshift(`${faults.latencyMs} ms latency`)
  if (faults.reset > 0) lines.push(`${percent(faults.reset)} reset`)
  if (faults.lateApply > 0)
    lines.push(`${percent(faults.lateApply)} reset, then applied up to ${faults.lateMs} ms later`)
  if (faults.rateLimit !== undefined) lines.push(`429 beyond ${faults.rateLimit} requests a second`)
  return lines
}

function pick(failures: Faults['fail'], chance: number): number | undefined {
  let reached = 0
  for (const { status, probability } of failures) {
    reached += probability
    if (chance < reached) return status
  }
  return undefined
}

function createDraw(seed: number): (request: Request, body: string) => (what: string) => number {
  const seen = new Map<string, number>()
  return ({ method, url }, body) => {
    const { pathname, search } = new URL(url)
    const key = hash(`${seed} ${method} ${pathname}${search} ${body}`)
    const times = seen.get(key) ?? 0
    seen.set(key, times + 1)
    return (what) => Number.parseInt(hash(`${key} ${times} ${what}`), 16) / 2 ** 48
  }
}

/** 48 bits in hexadecimal. */
function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

/** A bucket that holds a second's worth of requests and is refilled steadily. */
function createLimit(perSecond: number | undefined, clock: Clock): () => boolean {
  if (perSecond === undefined) return () => true
  let [tokens, at] = [perSecond, clock.monotonic()]
  return () => {
    const now = clock.monotonic()
    tokens = Math.min(perSecond, tokens + ((now - at) / 1000) * perSecond)
    at = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}

function problem(status: number, headers: Record<string, string>): Response {
  return Response.json({ detail: 'a rehearsed fault' }, { status, headers })
}

/** The reply is never seen: its connection is gone. */
function cut({ incoming }: Connection): Response {
  incoming.socket.resetAndDestroy()
  return new Response(null, { status: 500 })
}
