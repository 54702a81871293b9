import { FacescanError, NetworkError, UsageError } from '../base/errors.ts'
import type { Clock } from '../base/io.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { Exchanged, Read } from './body-check.ts'
import { explainFailure, isRepeatable, maybeDone } from './explain-failure.ts'
import { errorOf } from './reply.ts'
import { type AnyInput, buildRequest, type HttpCredential } from './request.ts'
import { type AttemptOutcome, decideRetry, type RetryPolicy } from './retry.ts'
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
  before(endpoint: Endpoint, request: WireRequest): Promise<void>
  /** Controls when each attempt starts, for commands that send many requests. */
  gate?: Gate | undefined
  /** Called after each attempt that may have reached the service; `reply` is undefined if no reply arrived. */
  after(endpoint: Endpoint, request: WireRequest, reply: WireReply | undefined): void
  /** Called after the last attempt of a call, with its reply if the reply confirms that the call succeeded. */
  settled?(endpoint: Endpoint, request: WireRequest, reply: WireReply | undefined): Promise<void>
}

export function prepare(endpoint: Endpoint, input: AnyInput, options: ExchangeOptions): WireRequest {
  const kind = options.credential?.kind
  if (endpoint.credentials.length > 0) {
    if (kind === undefined) throw missingCredential()
    if (!endpoint.credentials.includes(kind)) throw wrongCredential(endpoint, kind)
  }
  return buildRequest(endpoint, input, options.baseUrl, options.credential, options.userAgent)
}

function missingCredential(): FacescanError {
  return new FacescanError('unauthenticated', 'no API key is configured', {
    hint: 'Add a key: facescan profiles add ACME-DEV (or try the sandbox: facescan demo)',
  })
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
  let accepted: WireReply | undefined
  try {
    const reply = await sendUntilAnswered({ endpoint, request, options })
    const result = read({ endpoint, input, request, reply })
    accepted = reply
    return result
  } finally {
    await options.settled?.(endpoint, request, accepted)
  }
}

async function sendUntilAnswered(call: Call): Promise<WireReply> {
  const { endpoint, options } = call
  let mayBeApplied = false
  for (let attempt = 1; ; attempt++) {
    const result = await attemptPaced(call, attempt).catch(asNetworkError)
    const failure = failureOf(call, result)
    if (failure === undefined) return result as WireReply
    const outcome = outcomeOf(failure)
    const decision = decideRetry(endpoint.retry, attempt, outcome, options, options.random())
    if (decision.retry) await pause(decision, options)
    else if (mayBeApplied && isDone(endpoint, result))
      return { ...result, status: 204, body: new Uint8Array() }
    else throw explainFailure(failure, endpoint, options.credential, options.clock.now())
    mayBeApplied ||= 'notSent' in outcome ? !outcome.notSent : outcome.status !== 429
  }
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

/** A 404 for a deletion means that an earlier attempt, whose outcome was unknown, deleted the user. */
function isDone(endpoint: Endpoint, result: WireReply | NetworkError): result is WireReply {
  return endpoint.effect === 'destroy' && 'status' in result && result.status === 404
}

async function pause({ delayMs, reason }: { delayMs: number; reason: string }, options: ExchangeOptions) {
  for (const observer of options.observers) observer.wait?.(delayMs, reason)
  try {
    await options.clock.sleep(delayMs, options.signal)
  } finally {
    for (const observer of options.observers) observer.resume?.()
  }
}

function asNetworkError(error: unknown): NetworkError {
  if (error instanceof NetworkError) return error
  throw error
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
    ...(endpoint.effect === 'read' ? { hint } : { hint: maybeDone, applied: 'maybe' }),
    retryable: !final && isRepeatable(endpoint),
    cause: result.cut,
  })
}

function outcomeOf(failure: FacescanError): AttemptOutcome {
  const { status = 0, retryable, retryAfter = 0 } = failure.details
  if (failure instanceof NetworkError) return { notSent: failure.notSent, final: retryable === false }
  return { status, retryAfterMs: retryAfter * 1000 }
}

/** Sends a request once. Throws NetworkError if no status line arrives. */
export async function attemptOnce(call: Call, number: number): Promise<WireReply> {
  const { endpoint, request, options } = call
  const attempt = { number, startedAt: options.clock.now() }
  for (const observer of options.observers) observer.request?.(request, attempt)
  let reply: WireReply
  try {
    reply = await send(request, options)
  } catch (error) {
    if (!(error instanceof NoReply)) throw error
    const failure = options.signal.aborted ? stoppedBy(call, error) : await explainNoReply(call, error)
    for (const observer of options.observers) observer.failure?.(request, failure, attempt)
    if (!error.notSent) options.after(endpoint, request, undefined)
    throw failure
  }
  for (const observer of options.observers) observer.reply?.(request, reply, attempt)
  options.after(endpoint, request, reply)
  return reply
}

/** The reason of an abort, Ctrl-C or a deadline, is an error that explains why the command stopped. */
function stoppedBy({ endpoint, options: { signal } }: Call, { notSent }: NoReply): Error {
  const { reason } = signal
  if (!(reason instanceof FacescanError) || notSent || isRepeatable(endpoint)) return reason
  return new FacescanError(reason.code, reason.message, {
    ...reason.details,
    retryable: false,
    hint: maybeDone,
  })
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
