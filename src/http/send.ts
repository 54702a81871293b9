import { decode, maxReplyBytes } from './decode.ts'
import { maskHeader, secretsOf } from './redact.ts'
import type { Dispatcher, WireReply, WireRequest } from './wire.ts'

export interface SendOptions {
  dispatcher: Dispatcher
  /** For the whole attempt: connection, request and reply. */
  timeoutMs: number
  signal: AbortSignal
}

/** No status line arrived. `notSent` is true only when not one byte of the request was written. */
export class NoReply extends Error {
  readonly notSent: boolean

  constructor(cause: Error, notSent: boolean) {
    super(cause.message, { cause })
    this.notSent = notSent
  }
}

/**
 * Sends one request once. Resolves with any reply whose status line arrived; rejects with NoReply where none did or the signal
 * was aborted.
 */
export function send(request: WireRequest, options: SendOptions): Promise<WireReply> {
  const { dispatcher, signal, timeoutMs } = options
  const startedAtS = process.uptime()
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    let written = false
    let head: { status: number; headers: Record<string, string> } | undefined
    let controller: Dispatcher.DispatchController | undefined
    let stopped: Error | undefined

    const finish = (failure?: Error) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      const durationMs = (process.uptime() - startedAtS) * 1000
      if (head && !signal.aborted) {
        return resolve(
          withBody({ status: head.status, headers: head.headers, body: join(chunks), durationMs }, failure),
        )
      }
      reject(new NoReply(failure ?? new Error('the connection was closed without a reply'), !written))
    }
    const stop = (reason: Error) => {
      stopped = reason
      finish(reason)
      controller?.abort(reason)
    }
    const onAbort = () => stop(new Error('stopped'))
    const timer = setTimeout(() => stop(timeOut(timeoutMs)), timeoutMs)
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })

    const handler: Dispatcher.DispatchHandler = {
      // Called right before the first byte is written: aborting here still sends nothing.
      onRequestStart(started) {
        if (stopped) return started.abort(stopped)
        controller = started
        written = true
      },
      onResponseStart(_, status, headers) {
        if (status >= 200) head = { status, headers: readHeaders(headers, secretsOf(request)) }
      },
      onResponseData(_, chunk) {
        bytes += chunk.length
        if (bytes > maxReplyBytes) return stop(tooLarge())
        chunks.push(chunk)
      },
      onResponseEnd: () => afterReuse(finish),
      onResponseError: (_, error) => finish(error),
    }
    try {
      dispatcher.dispatch(toDispatch(request), handler)
    } catch (error) {
      finish(error instanceof Error ? error : new Error(String(error)))
    }
  })
}

/**
 * undici gives a connection free in the next turn of the event loop; whoever asks again before that gets a new connection, with a
 * handshake of its own.
 */
function afterReuse(finish: () => void): void {
  freed.push(finish)
  if (freed.length > 1) return
  setImmediate(() => {
    const ready = freed
    freed = []
    setImmediate(() => {
      for (const finish of ready) finish()
    })
  })
}

let freed: (() => void)[] = []

/** The time-out of the attempt covers all that undici's own would. */
function toDispatch({ url, method, headers, body }: WireRequest): Dispatcher.DispatchOptions {
  const path = url.pathname + url.search
  return { origin: url.origin, path, method, headers, body: body ?? null, headersTimeout: 0, bodyTimeout: 0 }
}

function timeOut(timeoutMs: number): Error {
  return Object.assign(new Error(`no answer within ${timeoutMs / 1000} s`), { code: 'FACESCAN_TIMEOUT' })
}

function tooLarge(): Error {
  return Object.assign(new Error('the reply is too large'), { code: 'FACESCAN_TOO_LARGE' })
}

/** Masked from the start: a header that says the credential back would end as a request id in errors and in the audit log. */
function readHeaders(
  headers: Record<string, string | string[] | undefined>,
  secrets: readonly string[],
): Record<string, string> {
  const read: Record<string, string> = {}
  for (const [name, value = ''] of Object.entries(headers)) {
    const lowerCased = name.toLowerCase()
    read[lowerCased] = maskHeader(lowerCased, typeof value === 'string' ? value : value.join(', '), secrets)
  }
  return read
}

function join(chunks: readonly Buffer[]): Uint8Array {
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

/** The reply with its body decoded, or what cut it off. */
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
