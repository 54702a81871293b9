import type { Clock } from '../base/clock.ts'
import { type Applied, FacescanError, NetworkError, UsageError } from '../base/errors.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { Exchanged, Read } from './body-check.ts'
import { explainFailure, isRepeatable, maybeDone } from './explain-failure.ts'
import { combine, factsOf, meaningOf } from './meaning.ts'
import { errorOf } from './reply.ts'
import { type AnyInput, buildRequest, type HttpCredential } from './request.ts'
import { decideRetry, type FailedAttempt, type RetryPolicy } from './retry.ts'
import { NoReply, send } from './send.ts'
import { explainTransport, isCertificateProblem } from './transport.ts'
import { type Dispatcher, type Gate, type Observer, urlOf, type WireReply, type WireRequest } from './wire.ts'

export interface ExchangeOptions extends RetryPolicy {
  baseUrl: URL
  credential: HttpCredential | undefined
  dispatcher: Dispatcher
  /** The proxy that the dispatcher goes through, for error messages. */
  proxy?: URL | undefined
  clock: Clock
  random(): number
  signal: AbortSignal
  userAgent: string
  timeoutMs: number
  observers: readonly Observer[]
  /** Called before the request is sent. Throws to stop it (dry run, production guard). */
  before(endpoint: Endpoint, request: WireRequest, kind?: 'single attempt'): Promise<void>
  /** Called before each attempt. Throws if the attempt must not be sent. */
  beforeAttempt?: ((endpoint: Endpoint) => Promise<void>) | undefined
  /** Controls when each attempt starts, for commands that send many requests. */
  gate?: Gate | undefined
  /** Called after each attempt that may have reached the service; `reply` is undefined if no reply arrived. */
  after(endpoint: Endpoint, request: WireRequest, reply: WireReply | undefined): void
  /** Called at the end of a call. */
  settled?(endpoint: Endpoint, request: WireRequest, end: CallEnd): Promise<void>
}

/** The reply of a call that succeeded, or its error. */
export type CallEnd = { reply: WireReply } | { error: unknown }

export function prepare(endpoint: Endpoint, input: AnyInput, options: ExchangeOptions): WireRequest {
  const kind = options.credential?.kind
  if (endpoint.credentials.length > 0) {
    if (kind === undefined) throw missingCredential()
    if (!endpoint.credentials.includes(kind)) throw wrongCredential(endpoint, kind)
  }
  return buildRequest(endpoint, input, options.baseUrl, options.credential, options.userAgent)
}

function missingCredential(): FacescanError {
  return new FacescanError('unauthenticated', 'no API key is configured')
}

function wrongCredential(endpoint: Endpoint, kind: 'key' | 'token'): UsageError {
  const [has, needs] = kind === 'token' ? ['action token', 'API key'] : ['API key', 'action token']
  return new UsageError(`${endpoint.method} ${endpoint.path} needs an ${needs}, not an ${has}`)
}

/** A request that is ready to be sent. */
interface Call {
  endpoint: Endpoint
  request: WireRequest
  options: ExchangeOptions
}

/** Sends a request, with retries, until `read` accepts a reply or the call fails. Throws the error for the person. */
export async function exchange(
  endpoint: Endpoint,
  input: AnyInput,
  options: ExchangeOptions,
  read: (exchanged: Exchanged) => Read,
): Promise<Read> {
  const request = prepare(endpoint, input, options)
  await options.before(endpoint, request)
  let end: CallEnd = { error: undefined }
  try {
    const reply = await sendUntilAnswered({ endpoint, request, options })
    const result = read({ endpoint, input, request, reply })
    end = { reply }
    return result
  } catch (error) {
    end = { error }
    throw error
  } finally {
    await options.settled?.(endpoint, request, end)
  }
}

async function sendUntilAnswered(call: Call): Promise<WireReply> {
  const { endpoint, options } = call
  let applied: Applied | undefined
  let last: FacescanError | undefined
  const explain = (failure: FacescanError) =>
    explainFailure(failure, call, options.credential, options.clock.now())
  const rethrow = (error: unknown) => {
    // A retry that is no longer allowed leaves the outcome of the change unknown.
    if (last && applied === 'maybe' && isRefused(error)) {
      last.details.retryable = false
      throw explain(last)
    }
    throw withApplied(error, applied, endpoint)
  }
  for (let attempt = 1; ; attempt++) {
    const result = await attemptPaced(call, attempt).catch((error) =>
      error instanceof NetworkError ? error : rethrow(error),
    )
    const failure = failureOf(call, result)
    if (failure === undefined) return result as WireReply
    const mayBeDeleted = applied === 'maybe' && endpoint.effect === 'destroy'
    const facts = { ...factsOf(result), mayBeDeleted }
    // An earlier attempt, whose outcome was unknown, deleted the user.
    if (meaningOf(facts).applied === 'yes')
      return { ...(result as WireReply), status: 204, body: new Uint8Array() }
    applied = combine(applied, failure.details.applied)
    const decision = decideRetry(
      endpoint.retry,
      attempt,
      { ...facts, ...limitsOf(failure) },
      options,
      options.random(),
    )
    failure.details.applied = applied
    last = failure
    if (!decision.retry) throw explain(failure)
    await pause(decision, options).catch(rethrow)
  }
}

function limitsOf(failure: FacescanError): Pick<FailedAttempt, 'retryAfterMs' | 'isFinal'> {
  const { retryAfter, retryable } = failure.details
  return {
    retryAfterMs: retryAfter && retryAfter * 1000,
    isFinal: failure instanceof NetworkError && retryable === false,
  }
}

/** The reason of an abort, Ctrl-C or a deadline, with what is known about the change that it interrupted. */
function withApplied(error: unknown, applied: Applied | undefined, endpoint: Endpoint): unknown {
  if (!(error instanceof FacescanError) || endpoint.effect === 'read') return error
  const { code, message, details } = error
  const all = combine(applied, details.applied)
  if (all === undefined) return error
  const isUnsafe = all === 'maybe' && !isRepeatable(endpoint)
  const hint = isUnsafe ? { hint: maybeDone, retryable: false } : {}
  return new FacescanError(code, message, { ...details, applied: all, ...hint })
}

function isRefused(error: unknown): boolean {
  return error instanceof FacescanError && error.details.applied === 'no'
}

/** Sends a request once when the gate lets it start. */
async function attemptPaced(call: Call, attempt: number): Promise<WireReply> {
  const { gate, clock } = call.options
  if (!gate) return attemptOnce(call, attempt)
  await gate.enter(attempt > 1)
  const startedAt = clock.monotonic()
  let reply: WireReply | undefined
  try {
    reply = await attemptOnce(call, attempt)
    return reply
  } finally {
    gate.leave(attempt > 1, reply, clock.monotonic() - startedAt)
  }
}

async function pause({ delayMs, reason }: { delayMs: number; reason: string }, options: ExchangeOptions) {
  for (const observer of options.observers) observer.wait?.(delayMs, reason)
  try {
    await options.clock.sleep(delayMs, options.signal)
  } finally {
    for (const observer of options.observers) observer.resume?.()
  }
}

/** The failure of an attempt: no reply, an error status, or a success with an incomplete body. */
function failureOf(
  { endpoint, request, options: { clock, proxy } }: Call,
  result: WireReply | NetworkError,
): FacescanError | undefined {
  if (result instanceof NetworkError) return result
  const failure = errorOf(request, result, clock.now())
  if (failure || !result.cut) return failure
  const { message, hint, final } = explainTransport(result.cut, urlOf(request), proxy)
  return new NetworkError(message, false, {
    status: result.status,
    hint: endpoint.effect === 'read' ? hint : maybeDone,
    retryable: !final && isRepeatable(endpoint),
    cause: result.cut,
  })
}

/** Sends a request once. Throws NetworkError if no status line arrives. */
export async function attemptOnce(call: Call, number: number): Promise<WireReply> {
  const { endpoint, request, options } = call
  await options.beforeAttempt?.(endpoint)
  const attempt = { number, startedAt: options.clock.now() }
  for (const observer of options.observers) observer.request?.(request, attempt)
  let reply: WireReply
  try {
    reply = await send(request, options)
  } catch (error) {
    if (!(error instanceof NoReply)) throw error
    const applied = error.notSent ? undefined : 'maybe'
    const failure = options.signal.aborted
      ? (withApplied(options.signal.reason, applied, endpoint) as Error)
      : await explainNoReply(call, error)
    for (const observer of options.observers) observer.failure?.(request, failure, attempt)
    if (!error.notSent) options.after(endpoint, request, undefined)
    throw failure
  }
  for (const observer of options.observers) observer.reply?.(request, reply, attempt)
  options.after(endpoint, request, reply)
  return reply
}

async function explainNoReply(
  { request, options: { proxy, signal } }: Call,
  noReply: NoReply,
): Promise<FacescanError> {
  const cause = noReply.cause as Error
  // The database of the built-in sandbox cannot be used.
  if (cause instanceof FacescanError) return cause
  const url = urlOf(request)
  const { message, hint, final } = explainTransport(cause, url, proxy)
  const details = { hint, retryable: !final, cause }
  if (!isCertificateProblem(cause)) return new NetworkError(message, noReply.notSent, details)
  const { describeCertificate } = await import('./certificate.ts')
  const certificate = await describeCertificate(url, proxy, signal)
  return new NetworkError(certificate ? `${message}\n${certificate}` : message, noReply.notSent, details)
}
