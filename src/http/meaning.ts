import { type Applied, NetworkError } from '../base/errors.ts'
import { parseRetryAfter } from './retry-after.ts'
import type { WireReply } from './wire.ts'

/** The facts about one attempt of a request. */
export interface AttemptFacts {
  /** Whether a byte of the request may have left this machine (default true). */
  isSent?: boolean
  /** Undefined if no status line arrived. */
  status?: number | undefined
  /** Whether the response has a valid `Retry-After`. */
  hasRetryAfter?: boolean
  /** Whether the body of a success is as the contract and the request require (default: it is). */
  body?: 'incomplete' | 'unconfirmed' | undefined
  /** Whether an earlier attempt may have deleted what this attempt deletes. */
  mayBeDeleted?: boolean
}

/** Whether an attempt applied its change, and whether the same request can succeed later. */
export interface Meaning {
  applied: Applied
  isTransient: boolean
}

const applied: Meaning = { applied: 'yes', isTransient: false }
const refused: Meaning = { applied: 'no', isTransient: false }
const postponed: Meaning = { applied: 'no', isTransient: true }
const unclear: Meaning = { applied: 'maybe', isTransient: false }
const lost: Meaning = { applied: 'maybe', isTransient: true }

/** The meaning of an attempt. Everything that depends on a status or a lost connection is derived from this function. */
export function meaningOf(facts: AttemptFacts): Meaning {
  const { isSent = true, status, hasRetryAfter = false, body, mayBeDeleted = false } = facts
  if (!isSent) return postponed
  if (status === undefined) return lost
  if (status < 200) return unclear
  // After a 202, a queue may apply the change later, or never.
  if (status < 300) return body === 'incomplete' ? lost : body || status === 202 ? unclear : applied
  if (status === 404 && mayBeDeleted) return applied
  // A proxy also returns 408 if only the response was late.
  if (status === 408) return lost
  // Both statuses refuse a request before it is processed, and ask for it again.
  if (status === 425 || status === 429) return postponed
  if (status === 413 && hasRetryAfter) return postponed
  // The service has no implementation that could have applied the change.
  return status < 500 || status === 501 ? refused : lost
}

/** The facts about an attempt from its result. */
export function factsOf(result: WireReply | NetworkError): AttemptFacts {
  if (result instanceof NetworkError)
    return { isSent: !result.notSent, status: result.details.status, body: 'incomplete' }
  const { status, headers, cut } = result
  const hasRetryAfter = 'retry-after' in headers && parseRetryAfter(headers, 0) !== undefined
  return { status, hasRetryAfter, body: cut && 'incomplete' }
}

/** A call was applied if its last attempt or any earlier attempt may have applied it. */
export function combine(earlier: Applied | undefined, last: Applied | undefined): Applied | undefined {
  return last === 'yes' || earlier === undefined ? last : earlier === 'maybe' ? earlier : (last ?? earlier)
}
