import zlib from 'node:zlib'
import { uptimeMs } from '../base/clock.ts'
import { own } from '../base/functions.ts'
import { maskHeader } from '../base/mask.ts'
import { showWord } from '../base/text.ts'
import type { Call, Send } from './chain.ts'
import {
  type Controller,
  type Dispatcher,
  type RawHeaders,
  type Receiver,
  secretsOf,
  type WireRequest,
  type WireResponse,
} from './wire.ts'

export interface SendOptions {
  dispatcher: Dispatcher
  /** Opens the dispatcher for requests that have their own connection (default: `dispatcher`). */
  alone?: (() => Dispatcher) | undefined
  /** Time limit for one attempt, from the connection to the end of the response. */
  timeoutMs: number
  signal: AbortSignal
  proxy?: URL | undefined
}

/** The last step of a call: sends the request once. Throws NetworkError if no status line arrives. */
export function transport(options: SendOptions): Send {
  const send = createSender(options)
  return async (call) => {
    try {
      return await send(call.request, call)
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error
      const { explainNoResponse } = await import('./failure.ts')
      throw await explainNoResponse(call, error, options)
    }
  }
}

/** The error if no status line arrived. `notSent` means that no byte of the request was written. */
class NoResponse extends Error {
  readonly notSent: boolean

  constructor(cause: Error, notSent: boolean) {
    super(cause.message, { cause })
    this.notSent = notSent
  }
}

/**
 * Creates a function that sends a request once. The promise of that function resolves when a status line arrives. It rejects with
 * NoResponse if none arrives, or if the signal is aborted.
 */
export function createSender(options: SendOptions) {
  // The active attempts share one abort listener, because one listener per attempt would be the slowest part of a request. A list is
  // faster than a Set, because V8 keeps the old tables of a Set until the next full garbage collection.
  const active: Attempt[] = []
  const shared = { ...options, active }
  const stopAll = () => {
    for (const attempt of [...active]) attempt.stop(new Error('stopped'))
  }
  options.signal.addEventListener('abort', stopAll, { once: true })
  return (
    request: WireRequest,
    { timeoutMs = options.timeoutMs, isAlone = false }: Pick<Call, 'timeoutMs' | 'isAlone'> = {},
  ): Promise<WireResponse> => {
    const chosen = isAlone && options.alone ? { ...shared, dispatcher: options.alone() } : shared
    return new Promise((resolve, reject) =>
      new Attempt(request, chosen, timeoutMs, { resolve, reject }).start(),
    )
  }
}

type AttemptOptions = SendOptions & { active: Attempt[] }

interface Settle {
  resolve(response: WireResponse): void
  reject(error: NoResponse): void
}

class Attempt implements Receiver {
  readonly #request: WireRequest
  readonly #options: AttemptOptions
  readonly #timeoutMs: number
  readonly #settle: Settle
  readonly #startedAt = uptimeMs()
  readonly #chunks: Buffer[] = []
  #bytes = 0
  #isWritten = false
  #head: Pick<WireResponse, 'status' | 'headers'> | undefined
  #controller: Controller | undefined
  #stopped: Error | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(request: WireRequest, options: AttemptOptions, timeoutMs: number, settle: Settle) {
    this.#request = request
    this.#options = options
    this.#timeoutMs = timeoutMs
    this.#settle = settle
  }

  start(): void {
    const { dispatcher, signal, active } = this.#options
    const timeoutMs = this.#timeoutMs
    if (signal.aborted) {
      this.stop(new Error('stopped'))
      return
    }
    const expire = () => this.stop(codedError(`no response within ${timeoutMs / 1000} s`, 'FACESCAN_TIMEOUT'))
    this.#timer = setTimeout(expire, timeoutMs)
    active.push(this)
    const { path, method, headers, body } = this.#request
    try {
      dispatcher.dispatch({ path, method, headers, body }, this)
    } catch (error) {
      this.finish(toError(error))
    }
  }

  onRequestStart(started: Controller): void {
    if (this.#stopped) {
      started.abort(this.#stopped)
      return
    }
    this.#controller = started
    this.#isWritten = true
  }

  onResponseStart(_: Controller, status: number, headers: RawHeaders): void {
    if (status >= 200) this.#head = { status, headers: readHeaders(headers, secretsOf(this.#request)) }
  }

  onResponseData(_: Controller, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > maxResponseBytes)
      this.stop(codedError('the response is too large', 'FACESCAN_TOO_LARGE'))
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    this.finish()
  }

  onResponseError(_: Controller, error: Error): void {
    this.finish(error)
  }

  finish(failure?: Error): void {
    const { signal, active } = this.#options
    clearTimeout(this.#timer)
    const place = active.indexOf(this)
    if (place >= 0) active.splice(place, 1)
    const durationMs = uptimeMs() - this.#startedAt
    if (this.#head && !signal.aborted) {
      const [first] = this.#chunks
      const raw = first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks)
      const { status, headers } = this.#head
      const { body, cut } = readBody(raw, headers['content-encoding'], failure)
      this.#settle.resolve({ status, headers, body, cut, durationMs })
      return
    }
    const cause = failure ?? new Error('the connection was closed without a response')
    this.#settle.reject(new NoResponse(cause, !this.#isWritten))
  }

  stop(reason: Error): void {
    this.#stopped = reason
    this.finish(reason)
    this.#controller?.abort(reason)
  }
}

function codedError(message: string, code: string): Error {
  return Object.assign(new Error(message), { code })
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

/** Masks secrets in headers. A server may return the credential as the request ID, which errors and the audit log contain. */
function readHeaders(headers: RawHeaders, secrets: readonly string[]): Record<string, string> {
  const read: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name] ?? ''
    const lowerCased = name.toLowerCase()
    read[lowerCased] = maskHeader(lowerCased, typeof value === 'string' ? value : value.join(', '), secrets)
  }
  return read
}

function readBody(
  raw: Uint8Array,
  encoding: string | undefined,
  failure: Error | undefined,
): Pick<WireResponse, 'body' | 'cut'> {
  if (failure) return { body: raw, cut: failure }
  try {
    return { body: decode(raw, encoding), cut: undefined }
  } catch (error) {
    return { body: new Uint8Array(), cut: toError(error) }
  }
}

/** Maximum size of a response in bytes. Real responses are much smaller. */
const maxResponseBytes = 64 * 1024 * 1024

const limit = { maxOutputLength: maxResponseBytes }

const decoders: Readonly<Record<string, (bytes: Uint8Array, options: zlib.ZlibOptions) => Uint8Array>> = {
  identity: (bytes) => bytes,
  // Loading node:zlib takes time and most responses do not need it, so these are functions.
  gzip: (bytes, options) => zlib.gunzipSync(bytes, options),
  'x-gzip': (bytes, options) => zlib.gunzipSync(bytes, options),
  br: (bytes, options) => zlib.brotliDecompressSync(bytes, options),
  // `deflate` requires a zlib header (RFC 9110), but some servers omit it.
  deflate: (bytes, options) =>
    ((bytes[0] ?? 0) & 0x0f) === 8 ? zlib.inflateSync(bytes, options) : zlib.inflateRawSync(bytes, options),
}

/** Decodes a body by its Content-Encoding header, the last encoding first. Throws an Error with a `code`. */
export function decode(raw: Uint8Array, header?: string): Uint8Array {
  if (header === undefined || raw.length === 0) return raw
  return header
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean)
    .reduceRight((bytes, name) => {
      const decoder = own(decoders, name)
      if (decoder) return decoder(bytes, limit)
      const problem = `the response uses the unsupported compression ${showWord(name)}`
      throw codedError(problem, 'FACESCAN_UNKNOWN_ENCODING')
    }, raw)
}
