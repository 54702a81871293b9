import type { Dispatcher } from 'undici'

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

/** Receives every attempt, for traces, HAR files and the countdown. */
export interface Observer {
  request?(request: WireRequest, attempt: number): void
  reply?(request: WireRequest, reply: WireReply): void
  failure?(request: WireRequest, error: Error): void
  /** A wait starts before the next attempt. It always ends with `resume`. */
  wait?(delayMs: number, reason: string): void
  resume?(): void
}

export type { Dispatcher }
