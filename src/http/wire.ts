export interface WireRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Scheme, host, and port of the service. */
  origin: string
  /** Encoded path with the query. */
  path: string
  /** The end of `path`, for traces. A name in braces replaces each part that may be an ID. */
  route: string
  headers: Readonly<Record<string, string>>
  body?: string
  /** Whether the response contains a credential. Traces must mask it. */
  secretReply?: boolean
}

/** The URL of a request. An import sends many requests, so the URL is created only on demand. */
export function urlOf({ origin, path }: Pick<WireRequest, 'origin' | 'path'>): URL {
  return new URL(origin + path)
}

/** One response. `cut` is set if the body is incomplete. */
export interface WireResponse {
  status: number
  /** Header names in lower case. */
  headers: Readonly<Record<string, string>>
  body: Uint8Array
  cut?: Error | undefined
  durationMs: number
  content?: Content
}

export interface Content {
  value: unknown
  /** Differences between the value and the contract. The value can still be used. */
  problems: readonly string[]
  /** Whether the meaning of the response is certain although it differs from the contract. If so, no warning is printed. */
  isClear?: boolean
}

const maximumIdLength = 200

export function requestIdOf({ headers }: Pick<WireResponse, 'headers'>): string | undefined {
  return (headers['x-request-id'] ?? headers['x-correlation-id'])?.slice(0, maximumIdLength)
}

/** The part of undici's dispatcher that this program uses. */
export interface Dispatcher {
  dispatch(request: Pick<WireRequest, 'method' | 'path' | 'headers' | 'body'>, receiver: Receiver): unknown
  destroy(): Promise<void>
}

/** Receives the events of one attempt from undici. */
export interface Receiver {
  /** Called before the first byte is written. If the request is aborted here, nothing is sent. */
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

/** The secrets of a request. They are masked in the response to this request. */
export function secretsOf({ headers }: Pick<WireRequest, 'headers'>): string[] {
  const key = headers['x-api-key']
  const token = headers['authorization']?.replace(/^Token /, '')
  return [key, token].filter((secret) => secret !== undefined && secret !== '') as string[]
}

/** A success response that cannot be used. The message completes a sentence that `explainBadBody` starts. */
export class BadBody extends Error {
  readonly kind: 'unreadable' | 'unconfirmed' | 'mismatch'

  constructor(kind: BadBody['kind'], message: string) {
    super(message)
    this.kind = kind
  }

  /** The error for a body that does not match the contract, or whose values differ from the request. */
  static mismatch(problems: readonly string[]): BadBody {
    return new BadBody('mismatch', problems.slice(0, 3).join('; '))
  }
}
