import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { NetworkError } from '../errors.ts'
import { explainTransport } from './transport.ts'
import type { Dispatcher, WireReply, WireRequest } from './wire.ts'

/** The largest reply that is read, in bytes: far above any real one, small enough never to exhaust memory. */
export const maxReplyBytes = 64 * 1024 * 1024

export interface SendOptions {
  dispatcher: Dispatcher
  /** For the whole attempt: connection, request and reply. */
  timeoutMs: number
  signal?: AbortSignal
}

/**
 * Sends one request once. Resolves with any reply whose status line arrived, throws a NetworkError otherwise;
 * its `notSent` is true only when not one byte of the request was written.
 */
export function send(request: WireRequest, options: SendOptions): Promise<WireReply> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    let written = false
    let head: { status: number; headers: Record<string, string> } | undefined
    let controller: Dispatcher.DispatchController | undefined
    let stopped: Error | undefined

    const finish = (failure?: Error) => {
      clearTimeout(timer)
      options.signal?.removeEventListener('abort', onAbort)
      if (head === undefined) return reject(toFailure(failure, request, written, options.signal))
      resolve(toReply(head, Buffer.concat(chunks), failure, performance.now() - startedAt))
    }
    const stop = (reason: Error) => {
      stopped = reason
      controller?.abort(reason)
      finish(reason)
    }
    const onAbort = () => stop(asError(options.signal?.reason))
    const timer = setTimeout(() => stop(new TimeoutError(options.timeoutMs)), options.timeoutMs)
    if (options.signal?.aborted) return onAbort()
    options.signal?.addEventListener('abort', onAbort, { once: true })

    options.dispatcher.dispatch(
      {
        origin: request.url.origin,
        path: request.url.pathname + request.url.search,
        method: request.method,
        headers: request.headers,
        body: request.body ?? null,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      {
        // Called right before the first byte is written: aborting here still sends nothing.
        onRequestStart(started) {
          if (stopped) return started.abort(stopped)
          controller = started
          written = true
        },
        onResponseStart(_, status, headers) {
          if (status >= 200) head = { status, headers: flatten(headers) }
        },
        onResponseData(_, chunk) {
          bytes += chunk.length
          if (bytes > maxReplyBytes) return stop(new Error(`the reply is larger than ${maxReplyBytes} bytes`))
          chunks.push(chunk)
        },
        onResponseEnd: () => finish(),
        onResponseError: (_, error) => finish(error),
      },
    )
  })
}

class TimeoutError extends Error {
  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs / 1000} s`)
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('cancelled', { cause: reason })
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')]),
  )
}

function toReply(
  head: { status: number; headers: Record<string, string> },
  raw: Buffer,
  failure: Error | undefined,
  durationMs: number,
): WireReply {
  if (failure) return { ...head, body: raw, cut: failure, durationMs }
  try {
    return { ...head, body: decode(raw, head.headers['content-encoding']), durationMs }
  } catch (error) {
    return { ...head, body: new Uint8Array(), cut: asError(error), durationMs }
  }
}

function decode(raw: Buffer, encoding = 'identity'): Uint8Array {
  const limit = { maxOutputLength: maxReplyBytes }
  if (raw.length === 0) return raw
  if (encoding === 'gzip' || encoding === 'x-gzip') return gunzipSync(raw, limit)
  if (encoding === 'br') return brotliDecompressSync(raw, limit)
  if (encoding === 'deflate') return inflateSync(raw, limit)
  return raw
}

function toFailure(
  failure: Error | undefined,
  request: WireRequest,
  written: boolean,
  signal: AbortSignal | undefined,
): Error {
  // Ctrl-C has an error of its own, which says why everything stops.
  if (signal?.aborted) return asError(signal.reason)
  const { message, hint } = explainTransport(failure, request.url)
  return new NetworkError(message, !written, { hint, cause: failure })
}
