export interface WireRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Scheme, host and port of the service. */
  origin: string
  /** Encoded, with its query. */
  path: string
  /** The end of the path as a template, with a name in braces for each part that may be an ID. */
  route: string
  headers: Readonly<Record<string, string>>
  body?: string
  /** The reply is a credential, or a link that contains one, and must be masked in traces. */
  secretReply?: boolean
}

/** The URL of a request. Created only on demand, because an import sends many requests. */
export function urlOf({ origin, path }: Pick<WireRequest, 'origin' | 'path'>): URL {
  return new URL(origin + path)
}

/** One reply. `cut` is set if the body is incomplete. */
export interface WireReply {
  status: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  body: Uint8Array
  cut?: Error
  durationMs: number
}

/** One attempt of a call, numbered from 1. `startedAt` is in milliseconds since the epoch. */
interface Attempt {
  number: number
  startedAt: number
}

/** Receives every attempt, for traces and the countdown. */
export interface Observer {
  request?(request: WireRequest, attempt: Attempt): void
  reply?(request: WireRequest, reply: WireReply, attempt: Attempt): void
  failure?(request: WireRequest, error: Error, attempt: Attempt): void
  /** A wait starts before the next attempt. It always ends with `resume`. */
  wait?(delayMs: number, reason: string): void
  resume?(): void
}

/** Limits the pace of many requests. Each `enter` that resolves is followed by one `leave`. */
export interface Gate {
  enter(isRetry: boolean): Promise<void>
  /** `reply` is undefined if no reply came. */
  leave(isRetry: boolean, reply: WireReply | undefined, latencyMs: number): void
}

/** Sends requests: over the connections of undici, or directly to the built-in sandbox. */
export interface Dispatcher {
  dispatch(request: Pick<WireRequest, 'method' | 'path' | 'headers' | 'body'>, receiver: Receiver): unknown
  destroy(): Promise<void>
}

/** Receives the events of one attempt, with the methods that undici calls. */
export interface Receiver {
  /** Called before the first byte is written. Aborting here sends nothing. */
  onRequestStart(controller: Controller): void
  onResponseStart(controller: Controller, status: number, headers: RawHeaders): void
  onResponseData(controller: Controller, chunk: Buffer): void
  onResponseEnd(): void
  onResponseError(controller: Controller, error: Error): void
}

export interface Controller {
  abort(reason: Error): void
}

export type RawHeaders = Record<string, string | string[] | undefined>
