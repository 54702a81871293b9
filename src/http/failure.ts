import { backoffMs, type Clock } from '../base/clock.ts'
import { type Applied, type ErrorDetails, FacescanError, NetworkError, ServiceError } from '../base/errors.ts'
import type { Endpoint, RetryClass } from '../contract/endpoint.ts'
import type { Call } from './chain.ts'
import { errorOf } from './error-response.ts'
import { expiryOf } from './expiry.ts'
import { type AttemptFacts, combine, factsOf, maybeDone, meaningOf } from './meaning.ts'
import { explainTransport, isCertificateProblem } from './network-errors.ts'
import type { HttpCredential } from './request.ts'
import { urlOf, type WireResponse } from './wire.ts'

export interface RetryOptions extends RetryPolicy {
  clock: Pick<Clock, 'now'>
  random(): number
  /** The proxy that is used, for error messages. */
  proxy?: URL | undefined
  pause(delayMs: number, reason: string): Promise<void>
}

/** The failed attempts of a call: whether any of them may have been applied, and the latest failure. */
export interface Past {
  applied: Applied | undefined
  failure: FacescanError
}

/** The next step after a failed attempt: a wait before a retry, or the response that ends the call. */
type Assessed = { response: WireResponse } | { past: Past; delayMs: number; reason: string }

/** Determines the next step after a failed attempt. Throws the error for the user if there is no retry. */
export function assess(
  call: Call,
  result: WireResponse | NetworkError,
  past: Past | undefined,
  options: RetryOptions,
): Assessed {
  const { endpoint, attempt } = call
  const now = options.clock.now()
  const mayBeDeleted = past?.applied === 'maybe' && endpoint.effect === 'destroy'
  const facts = { ...factsOf(result), mayBeDeleted }
  // An earlier attempt with an unknown outcome has deleted the user, so this 404 is a success.
  if (meaningOf(facts).applied === 'yes')
    return { response: { ...(result as WireResponse), status: 204, body: new Uint8Array() } }
  const failure = failureOf(call, result, options.proxy, now)
  const { retryAfter, retryable } = failure.details
  const applied = combine(past?.applied, failure.details.applied)
  failure.details.applied = applied
  const limits = {
    retryAfterMs: retryAfter && retryAfter * 1000,
    isFinal: failure instanceof NetworkError && retryable === false,
  }
  const retry = decideRetry(endpoint.retry, attempt, { ...facts, ...limits }, options, options.random())
  if (retry === undefined) throw explainFailure(failure, call, now)
  return { past: { applied, failure }, ...retry }
}

/**
 * The failure of an attempt: no response, an error status, or an incomplete body. Without its body, a 404 does not show whether the user is
 * unknown or the base URL is wrong.
 */
function failureOf(
  { endpoint, request }: Call,
  result: WireResponse | NetworkError,
  proxy: URL | undefined,
  now: number,
): FacescanError {
  if (result instanceof NetworkError) return result
  const isUnreadable = result.cut !== undefined && result.status === 404
  const failure = isUnreadable ? undefined : errorOf(request, result, now)
  if (failure) return failure
  const { message, hint, final } = explainTransport(result.cut, urlOf(request), proxy)
  return new NetworkError(message, false, {
    status: result.status,
    applied: isUnreadable ? 'no' : 'maybe',
    hint: endpoint.effect === 'read' || isUnreadable ? hint : maybeDone,
    retryable: !final && isRepeatable(endpoint),
    cause: result.cut,
  })
}

/** The error for a call that was stopped by Ctrl-C, by a time limit, or by a refusal before the next attempt. */
export function explainStop(error: unknown, call: Call, past: Past | undefined, now: number): unknown {
  const isRefused = error instanceof FacescanError && error.details.applied === 'no'
  if (past?.applied !== 'maybe' || !isRefused) return withApplied(error, past?.applied, call.endpoint)
  // The change may have been applied, so a caller must not retry the command.
  past.failure.details.retryable = false
  return explainFailure(past.failure, call, now)
}

/** Adds `applied` to the error of a stopped change: whether the change may have been applied. */
function withApplied(error: unknown, applied: Applied | undefined, endpoint: Endpoint): unknown {
  if (!(error instanceof FacescanError) || endpoint.effect === 'read') return error
  const { code, message, details } = error
  const all = combine(applied, details.applied)
  if (all === undefined) return error
  const isUnsafe = all === 'maybe' && !isRepeatable(endpoint)
  const hint = isUnsafe ? { hint: maybeDone, retryable: false } : {}
  return new FacescanError(code, message, { ...details, applied: all, ...hint })
}

export async function explainNoResponse(
  { endpoint, request }: Call,
  { cause, notSent }: { cause?: unknown; notSent: boolean },
  { proxy, signal }: { proxy?: URL | undefined; signal: AbortSignal },
): Promise<unknown> {
  if (signal.aborted) return withApplied(signal.reason, notSent ? undefined : 'maybe', endpoint)
  // An error of the built-in sandbox, such as an unusable database.
  if (cause instanceof FacescanError) return cause
  const url = urlOf(request)
  const { message, hint, final } = explainTransport(cause as Error, url, proxy)
  const details = { hint, retryable: !final, cause }
  if (!isCertificateProblem(cause)) return new NetworkError(message, notSent, details)
  const { describeCertificate } = await import('./certificate.ts')
  const certificate = await describeCertificate(url, proxy, signal)
  return new NetworkError(certificate ? `${message}\n${certificate}` : message, notSent, details)
}

/** Whether a user can safely repeat the command. */
function isRepeatable({ retry, effect }: Endpoint): boolean {
  return retry !== 'once' || effect === 'read'
}

/** Adds the source of a refused credential, or a warning that a change without a response may have been applied. */
function explainFailure(failure: FacescanError, call: Call, now: number): FacescanError {
  const { endpoint, credential } = call
  const { code, message, details } = failure
  if (credential && (code === 'unauthenticated' || code === 'forbidden')) {
    return new ServiceError(code, message, { ...details, refused: describeRefused(credential, now) })
  }
  if (code === 'not_found') return markMissing(failure, call)
  const isUnclear = details.applied === 'maybe' && endpoint.effect !== 'read'
  // If the change can safely be repeated, the error keeps its usual hint, which is more useful than the warning.
  if (!isUnclear || (isRepeatable(endpoint) && details.retryable)) return failure
  const unsure = { ...details, retryable: false, hint: maybeDone }
  return failure instanceof NetworkError
    ? new NetworkError(message, false, unsure)
    : new ServiceError(code, message, unsure)
}

/** Marks a 404 as an unknown user or as a wrong path or base URL. The message about a raw call omits its path, which may contain an ID. */
function markMissing({ message, details }: FacescanError, { endpoint, request }: Call): ServiceError {
  if (namesUser(endpoint) && details.missing === undefined)
    return new ServiceError('not_found', message, { ...details, missing: 'user' })
  const isRaw = request.route !== endpoint.path
  const { detail } = details
  const place = `${endpoint.method} ${endpoint.path} not found on ${urlOf(request).host} (404)`
  const text = isRaw ? message : [place, detail].filter((part) => part !== undefined).join(': ')
  return new ServiceError('not_found', text, { ...details, missing: 'address' })
}

/** Whether a 404 can mean that the user is unknown. The error text is not used, because services use different texts. */
function namesUser({ user, path }: Endpoint): boolean {
  return user !== undefined || path.includes('{user_id}')
}

function describeRefused({ kind, value, source }: HttpCredential, now: number): ErrorDetails['refused'] {
  const expiry = kind === 'token' ? expiryOf(value) : undefined
  const isExpired = expiry !== undefined && Date.parse(expiry) <= now
  return { kind, source, expiredAt: isExpired ? expiry : undefined }
}

/** The facts about one failed attempt. */
export interface FailedAttempt extends AttemptFacts {
  retryAfterMs?: number | undefined
  /** Whether each retry would fail in the same way, as with an invalid certificate. */
  isFinal?: boolean
}

export interface RetryPolicy {
  retries: number
  /** Maximum wait before a retry. If the service requires a longer wait, the call fails immediately. */
  maxWaitMs: number
}

const backoff = { firstMs: 500, longestMs: 8_000, jitter: 1 }

/**
 * The wait before a retry, or undefined if the request is not retried. `random` is in [0, 1), for full jitter. A request that may have been
 * applied is retried only if sending it twice is safe.
 */
export function decideRetry(
  retryClass: RetryClass,
  attempt: number,
  failed: FailedAttempt,
  { retries, maxWaitMs }: RetryPolicy,
  random: number,
): { delayMs: number; reason: string } | undefined {
  if (attempt > retries || failed.isFinal) return undefined
  const { applied, isTransient } = meaningOf(failed)
  if (!isTransient || (applied === 'maybe' && retryClass === 'once')) return undefined
  const delayMs = Math.max(backoffMs(attempt, { ...backoff, random }), failed.retryAfterMs ?? 0)
  return delayMs > maxWaitMs ? undefined : { delayMs, reason: describe(failed) }
}

function describe({ isSent = true, status, body }: FailedAttempt): string {
  if (!isSent) return 'could not connect'
  if (status === undefined || body === 'incomplete') return 'the connection failed'
  return status === 429 ? 'rate limited' : `the service returned ${status}`
}
