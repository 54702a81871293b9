import { backoffMs, type Clock } from '../../base/clock.ts'
import { type ErrorCode, FacescanError, type Hint, NetworkError } from '../../base/errors.ts'
import { factsOf, meaningOf } from '../../http/meaning.ts'
import type { WireResponse } from '../../http/wire.ts'
import type { Engine } from '../engine/engine.ts'
import { type PaceResult, paceResult } from '../pace/pace.ts'

/** The result of one attempt: a response with any status, or the error if no status line arrived. */
export type AttemptResult = WireResponse | NetworkError

export function isTransient(outcome: AttemptResult): boolean {
  const isCut = !(outcome instanceof NetworkError) && outcome.cut !== undefined
  return isCut || meaningOf(factsOf(outcome)).isTransient
}

const stops: Readonly<Record<number, [code: ErrorCode, message: string, hint: string | Hint]>> = {
  401: [
    'unauthenticated',
    'the service rejected the key (401)',
    { text: 'No rows were lost. Check the key', run: ['status'] },
  ],
  403: [
    'forbidden',
    'the key does not have permission to import answers (403)',
    'No rows were lost. Use another profile, or request permission to save answers, list answers, and view users.',
  ],
  407: [
    'import_stopped',
    'a proxy requires a username and password (407)',
    'No rows were lost. Add the name and password to the proxy URL: HTTPS_PROXY=http://NAME:PASSWORD@HOST:PORT',
  ],
  404: ['not_found', 'endpoint not found (404)', 'No rows were lost. Check the base URL of the profile.'],
}

export function stopError(status: number): FacescanError {
  const redirects = status >= 300 && status < 400
  const [code, message, hint] = stops[status] ?? [
    redirects ? 'import_stopped' : 'rejected',
    redirects
      ? `the service returned a redirect (${status}); redirects are not followed`
      : `the service rejected the request (${status})`,
    'No rows were lost. Check the base URL and the proxy settings.',
  ]
  return new FacescanError(code, message, { hint, status })
}

/** Sends a request when the rate and concurrency limits allow it. May retry a failed request. */
export type InTurn = (ask: () => Promise<AttemptResult>) => Promise<AttemptResult>

const backoff = { firstMs: 200, longestMs: 10_000 }

export interface TurnOptions {
  engine: Pick<Engine<unknown, { items: unknown[] }>, 'pace' | 'halt'>
  clock: Clock
  random(): number
  /** Time in ms after which a failing GET is not sent again. */
  patienceMs: number
  /** Whether the run also saves answers. If so, failures and latencies of GET requests do not affect the pace. */
  runSaves: boolean
}

/** Sends GET requests at the pace of a run. Retries transient failures until `patienceMs` has passed. Calls `note` with each outcome. */
export function inTurnOf(options: TurnOptions, note?: (outcome: AttemptResult) => void): InTurn {
  const { clock, engine, patienceMs } = options
  return async (ask) => {
    let triedMs = 0
    for (let tries = 1; ; tries++) {
      const { outcome, startedAt, retryAfterMs } = await takeTurn(options, ask, tries > 1)
      note?.(outcome)
      if (!isTransient(outcome) || triedMs > patienceMs) return outcome
      if (retryAfterMs === undefined) await backOff(options, tries)
      triedMs += clock.monotonic() - startedAt
      // The service required this wait with Retry-After, so it does not count toward `patienceMs`.
      if (retryAfterMs !== undefined) await clock.sleep(retryAfterMs, engine.halt)
    }
  }
}

/** Waits before a request is sent again. Each wait is about twice as long as the previous one. */
export async function backOff(
  { clock, random, engine }: Pick<TurnOptions, 'clock' | 'random'> & { engine: { halt: AbortSignal } },
  tries: number,
): Promise<void> {
  await clock.sleep(backoffMs(tries, { ...backoff, random: random() }), engine.halt)
}

async function takeTurn(options: TurnOptions, ask: () => Promise<AttemptResult>, isRepeated: boolean) {
  const { clock, engine, runSaves } = options
  const isRetry = runSaves || isRepeated
  await engine.pace.enter(isRetry)
  const startedAt = clock.monotonic()
  let result: PaceResult = { kind: 'canceled' }
  try {
    const outcome = await ask()
    const latencyMs = clock.monotonic() - startedAt
    result = paceResult(outcome, latencyMs, clock.now())
    if (runSaves && result.kind !== 'refused')
      result = result.kind === 'answered' ? { kind: 'listed', latencyMs } : { kind: 'canceled' }
    return { outcome, startedAt, retryAfterMs: result.kind === 'refused' ? result.retryAfterMs : undefined }
  } finally {
    engine.pace.leave(isRetry, result)
  }
}
