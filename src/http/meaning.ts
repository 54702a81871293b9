import { type Applied, NetworkError } from '../base/errors.ts'
import type { WireResponse } from './wire.ts'

export interface AttemptFacts {
  /** Whether the request may have been sent, at least partly (default true). */
  isSent?: boolean
  /** HTTP status. Undefined if no status line arrived. */
  status?: number | undefined
  /** Whether the response has a valid `Retry-After`. */
  hasRetryAfter?: boolean
  /** Problem with the body of a success response: it is incomplete, or it does not confirm the change (default: no problem). */
  body?: 'incomplete' | 'unconfirmed' | undefined
}

export interface Meaning {
  applied: Applied
  isTransient: boolean
}

const applied: Meaning = { applied: 'yes', isTransient: false }
const refused: Meaning = { applied: 'no', isTransient: false }
const postponed: Meaning = { applied: 'no', isTransient: true }
const unclear: Meaning = { applied: 'maybe', isTransient: false }
const lost: Meaning = { applied: 'maybe', isTransient: true }

export const maybeDone =
  'The change may have been applied. Check the current data before you repeat the command.'

/** The meaning of an attempt. Retries, errors, the audit log, and imports all use this function. */
export function meaningOf(facts: AttemptFacts): Meaning {
  const { isSent = true, status, hasRetryAfter = false, body } = facts
  if (!isSent) return postponed
  if (status === undefined) return lost
  if (status < 200) return unclear
  // A 202 means that the service may apply the change later, or not at all.
  if (status < 300) return body === 'incomplete' ? lost : body || status === 202 ? unclear : applied
  // A service can apply a change and then redirect to its result (RFC 9110, section 15.4.4).
  if (status === 303) return unclear
  // A proxy can return 408 although the service has applied the change, because only the response was late.
  if (status === 408) return lost
  // The service returns these statuses before it processes a request. A retry can succeed.
  if (status === 425 || status === 429) return postponed
  if (status === 413 && hasRetryAfter) return postponed
  // A 501 means that the service does not implement the request, so the change was not applied.
  return status < 500 || status === 501 ? refused : lost
}

export function factsOf(result: WireResponse | NetworkError): AttemptFacts {
  if (result instanceof NetworkError)
    return { isSent: !result.notSent, status: result.details.status, body: 'incomplete' }
  const { status, headers, cut } = result
  return { status, hasRetryAfter: parseRetryAfter(headers, 0) !== undefined, body: cut && 'incomplete' }
}

/** Combines the outcomes of all attempts. If an earlier outcome is `maybe`, only a later `yes` changes it. */
export function combine(earlier: Applied | undefined, last: Applied | undefined): Applied | undefined {
  return earlier === 'maybe' && last !== 'yes' ? earlier : (last ?? earlier)
}

/** Maximum number of seconds in Retry-After (RFC 9111, section 1.2.2). */
const longestDelta = 2 ** 31

/**
 * The `Retry-After` header in milliseconds, from whole seconds or an HTTP date. Undefined if it is missing or invalid. A date is compared
 * with the `Date` header of the same response, because the clock of this machine may be wrong.
 */
export function parseRetryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const text = headers['retry-after']?.trim()
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Math.min(Number(text), longestDelta) * 1000
  const at = parseHttpDate(text)
  if (at === undefined) return undefined
  return Math.max(0, at - (parseHttpDate(headers['date'] ?? '') ?? now))
}

/** Parses an HTTP date. Requires the day of the week (RFC 9110, section 5.6.7), because `Date.parse` also accepts texts such as "-1". */
function parseHttpDate(text: string): number | undefined {
  const at = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}
