import { uptimeMs } from '../base/system/uptime.ts'
import { decode, maxReplyBytes } from './decode.ts'
import { maskHeader, secretsOf } from './redact.ts'
import type { Dispatcher, WireReply, WireRequest } from './wire.ts'

export interface SendOptions {
  dispatcher: Dispatcher
  /** Limit for the connection, the request and the reply together. */
  timeoutMs: number
  signal: AbortSignal
}

/** No status line arrived. `notSent` is true only if no byte of the request was written. */
export class NoReply extends Error {
  readonly notSent: boolean

  constructor(cause: Error, notSent: boolean) {
    super(cause.message, { cause })
    this.notSent = notSent
  }
}

/** Sends a request once. Resolves if a status line arrives; rejects with NoReply otherwise, or if the signal is aborted. */
export function send(request: WireRequest, options: SendOptions): Promise<WireReply> {
  return new Promise((resolve, reject) => new Attempt(request, options, resolve, reject).start())
}

/** Receives the events of one request from undici. */
class Attempt implements Dispatcher.DispatchHandler {
  readonly #request: WireRequest
  readonly #options: SendOptions
  readonly #resolve: (reply: WireReply) => void
  readonly #reject: (error: NoReply) => void
  readonly #startedAt = uptimeMs()
  readonly #chunks: Buffer[] = []
  #bytes = 0
  #isWritten = false
  #head: { status: number; headers: Record<string, string> } | undefined
  #controller: Dispatcher.DispatchController | undefined
  #stopped: Error | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(
    request: WireRequest,
    options: SendOptions,
    resolve: (reply: WireReply) => void,
    reject: (error: NoReply) => void,
  ) {
    this.#request = request
    this.#options = options
    this.#resolve = resolve
    this.#reject = reject
  }

  start(): void {
    const { dispatcher, signal, timeoutMs } = this.#options
    if (signal.aborted) {
      this.stop(new Error('stopped'))
      return
    }
    this.#timer = setTimeout(() => this.stop(timeOut(timeoutMs)), timeoutMs)
    attemptsOf(signal).add(this)
    try {
      dispatcher.dispatch(toDispatch(this.#request), this)
    } catch (error) {
      this.finish(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** Called before the first byte is written. Aborting here sends nothing. */
  onRequestStart(started: Dispatcher.DispatchController): void {
    if (this.#stopped) {
      started.abort(this.#stopped)
      return
    }
    this.#controller = started
    this.#isWritten = true
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status >= 200) this.#head = { status, headers: readHeaders(headers, secretsOf(this.#request)) }
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > maxReplyBytes) this.stop(tooLarge())
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    this.finish()
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.finish(error)
  }

  finish(failure?: Error): void {
    const { signal } = this.#options
    clearTimeout(this.#timer)
    attemptsOf(signal).delete(this)
    const durationMs = uptimeMs() - this.#startedAt
    if (this.#head && !signal.aborted) {
      const { status, headers } = this.#head
      this.#resolve(withBody({ status, headers, body: join(this.#chunks), durationMs }, failure))
      return
    }
    const cause = failure ?? new Error('the connection was closed without a response')
    this.#reject(new NoReply(cause, !this.#isWritten))
  }

  stop(reason: Error): void {
    this.#stopped = reason
    this.finish(reason)
    this.#controller?.abort(reason)
  }
}

/** The active attempts of each signal. One listener for each attempt would cost more time than everything else here. */
const activeAttempts = new WeakMap<AbortSignal, Set<Attempt>>()

function attemptsOf(signal: AbortSignal): Set<Attempt> {
  const known = activeAttempts.get(signal)
  if (known) return known
  const attempts = new Set<Attempt>()
  activeAttempts.set(signal, attempts)
  const stopAll = () => {
    for (const attempt of attempts) attempt.stop(new Error('stopped'))
  }
  signal.addEventListener('abort', stopAll, { once: true })
  return attempts
}

/** The timeout of the attempt replaces the timeouts of undici. */
function toDispatch({ path, method, headers, body }: WireRequest): Dispatcher.DispatchOptions {
  return { path, method, headers, body: body ?? null, headersTimeout: 0, bodyTimeout: 0 }
}

function timeOut(timeoutMs: number): Error {
  return Object.assign(new Error(`no response within ${timeoutMs / 1000} s`), { code: 'FACESCAN_TIMEOUT' })
}

function tooLarge(): Error {
  return Object.assign(new Error('the response is too large'), { code: 'FACESCAN_TOO_LARGE' })
}

/** Masks headers immediately: a header that repeats the credential could become the request ID in errors and the audit log. */
function readHeaders(
  headers: Record<string, string | string[] | undefined>,
  secrets: readonly string[],
): Record<string, string> {
  const read: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name] ?? ''
    const lowerCased = name.toLowerCase()
    read[lowerCased] = maskHeader(lowerCased, typeof value === 'string' ? value : value.join(', '), secrets)
  }
  return read
}

function join(chunks: readonly Buffer[]): Uint8Array {
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

/** The reply with its decoded body, or with the failure that interrupted it. */
function withBody(reply: WireReply, failure: Error | undefined): WireReply {
  if (failure) return { ...reply, cut: failure }
  const encoding = reply.headers['content-encoding']
  if (encoding === undefined) return reply
  try {
    return { ...reply, body: decode(reply.body, encoding) }
  } catch (error) {
    return {
      ...reply,
      body: new Uint8Array(),
      cut: error instanceof Error ? error : new Error(String(error)),
    }
  }
}
