import { type Applied, type ErrorDetails, FacescanError, NetworkError, ServiceError } from '../base/errors.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { Call } from './chain.ts'
import { errorOf } from './error-response.ts'
import { expiryOf } from './expiry.ts'
import { type AttemptFacts, combine, factsOf, maybeDone } from './meaning.ts'
import { explainTransport, isCertificateProblem } from './network-errors.ts'
import type { HttpCredential } from './request.ts'
import { urlOf, type WireResponse } from './wire.ts'

/** What is known about the failed attempts of a call: whether one may have been applied, and the latest failure. */
export interface Past {
  applied: Applied | undefined
  failure: FacescanError
}

export function assess(
  { endpoint, request }: Call,
  result: WireResponse | NetworkError,
  past: Past | undefined,
  { now, proxy }: { now: number; proxy?: URL | undefined },
): { past: Past; failed: FailedAttempt } {
  const failure = failureOf({ endpoint, request }, result, proxy, now)
  const { retryAfter, retryable } = failure.details
  const applied = combine(past?.applied, failure.details.applied)
  failure.details.applied = applied
  const failed = {
    ...factsOf(result),
    retryAfterMs: retryAfter && retryAfter * 1000,
    isFinal: retryable === false,
  }
  return { past: { applied, failure }, failed }
}

/**
 * The failure of an attempt: no response, an error status, or an incomplete body. If the body of a 404 is incomplete, it is unknown whether
 * the user or the base URL is wrong.
 */
function failureOf(
  { endpoint, request }: Pick<Call, 'endpoint' | 'request'>,
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

/** The error for a call that ended before its next attempt: after Ctrl-C, at a time limit, or because of a refusal. */
export function explainStop(error: unknown, call: Call, past: Past | undefined, now: number): unknown {
  const isRefused = error instanceof FacescanError && error.details.applied === 'no'
  if (past?.applied !== 'maybe' || !isRefused) return withApplied(error, past?.applied, call.endpoint)
  // A retry is unsafe, because the change may have been applied.
  past.failure.details.retryable = false
  return explainFailure(past.failure, call, now)
}

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
  const url = urlOf(request)
  const { message, hint, final } = explainTransport(cause as Error, url, proxy)
  const details = { hint, retryable: !final, cause }
  if (!isCertificateProblem(cause)) return new NetworkError(message, notSent, details)
  const { describeCertificate } = await import('./certificate.ts')
  const certificate = await describeCertificate(url, proxy, signal)
  return new NetworkError(certificate ? `${message}\n${certificate}` : message, notSent, details)
}

function isRepeatable({ retry, effect }: Endpoint): boolean {
  return retry !== 'once' || effect === 'read'
}

/** Extends the error: the source of a refused credential, and a warning if a change may have been applied. */
export function explainFailure(failure: FacescanError, call: Call, now: number): FacescanError {
  const { endpoint, credential } = call
  const { code, message, details } = failure
  if (credential && (code === 'unauthenticated' || code === 'forbidden')) {
    return new ServiceError(code, message, { ...details, refused: describeRefused(credential, now) })
  }
  if (code === 'not_found') return markMissing(failure, call)
  const isUnclear = details.applied === 'maybe' && endpoint.effect !== 'read'
  // A change that can be repeated safely gets the usual hint instead of the warning about an unclear outcome.
  if (!isUnclear || (isRepeatable(endpoint) && details.retryable)) return failure
  const unsure = { ...details, retryable: false, hint: maybeDone }
  return failure instanceof NetworkError
    ? new NetworkError(message, false, unsure)
    : new ServiceError(code, message, unsure)
}

/**
 * Adds the meaning of a 404 to the error: an unknown user, or a wrong path or base URL. A message about a raw call omits the path, because
 * it may contain an ID.
 */
function markMissing({ message, details }: FacescanError, { endpoint, request }: Call): ServiceError {
  if (namesUser(endpoint) && details.missing === undefined)
    return new ServiceError('not_found', message, { ...details, missing: 'user' })
  const isRaw = request.route !== endpoint.path
  const { detail } = details
  const place = `${endpoint.method} ${endpoint.path} not found on ${urlOf(request).host} (404)`
  const text = isRaw ? message : [place, detail].filter((part) => part !== undefined).join(': ')
  return new ServiceError('not_found', text, { ...details, missing: 'address' })
}

/** Whether a 404 can mean an unknown user. Services use different error texts, so the text is not checked. */
function namesUser({ user, path }: Endpoint): boolean {
  return user !== undefined || path.includes('{user_id}')
}

function describeRefused({ kind, value, source }: HttpCredential, now: number): ErrorDetails['refused'] {
  const expiry = kind === 'token' ? expiryOf(value) : undefined
  const isExpired = expiry !== undefined && Date.parse(expiry) <= now
  return { kind, source, expiredAt: isExpired ? expiry : undefined }
}

export interface FailedAttempt extends AttemptFacts {
  retryAfterMs?: number | undefined
  /** Whether every retry would fail, for example because the certificate is invalid. */
  isFinal?: boolean
}
