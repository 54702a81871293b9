import type { Dispatcher } from 'undici'

/** One request as it goes over the wire. */
export interface WireRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Scheme, host and port of the service. */
  origin: string
  /** With its query, in the letters that go over the wire. */
  path: string
  /** The end of the path as the contract spells it: a name in braces for each part that may be an id. */
  route: string
  headers: Readonly<Record<string, string>>
  body?: string
  /** The reply is a credential, or a link that carries one: whoever shows it masks all of it. */
  secretReply?: boolean
}

/** Made where it is needed: a bulk import needs none. */
export function urlOf({ origin, path }: Pick<WireRequest, 'origin' | 'path'>): URL {
  return new URL(origin + path)
}

/** One reply. `cut` is set where the status line came but the body did not come whole. */
export interface WireReply {
  status: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  body: Uint8Array
  cut?: Error
  durationMs: number
}

/** Told about every attempt, for traces, HAR files and the countdown. */
export interface Observer {
  request?(request: WireRequest, attempt: number): void
  reply?(request: WireRequest, reply: WireReply): void
  failure?(request: WireRequest, error: Error): void
  /** A pause begins before the next attempt; it ends with `resume`, by itself or because it was stopped. */
  wait?(delayMs: number, reason: string): void
  resume?(): void
}

export type { Dispatcher }
