export interface WireRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Scheme, host, and port of the service. */
  origin: string
  /** Encoded path with the query. */
  path: string
  /** Path template at the end of `path`, with a name in braces for each part that may be an ID. */
  route: string
  headers: Readonly<Record<string, string>>
  body?: string
  /** Whether the response contains a credential, which traces must mask. */
  secretReply?: boolean
}

/** The URL of a request. Created only when needed, because an import sends many requests. */
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
  /** The parsed body. Set by the body check. */
  content?: Content
}

/** The body of a successful response. */
export interface Content {
  value: unknown
  /** Differences from the contract that do not prevent the use of the value. */
  problems: readonly string[]
  /** Whether the meaning of the response is clear despite the problems. Such problems cause no warning. */
  isClear?: boolean
}

const maximumIdLength = 200

export function requestIdOf({ headers }: Pick<WireResponse, 'headers'>): string | undefined {
  return (headers['x-request-id'] ?? headers['x-correlation-id'])?.slice(0, maximumIdLength)
}

/** The functions of undici's dispatcher that this program uses. */
export interface Dispatcher {
  dispatch(request: Pick<WireRequest, 'method' | 'path' | 'headers' | 'body'>, receiver: Receiver): unknown
  destroy(): Promise<void>
}

/** Receives the events of one attempt. undici calls these methods. */
export interface Receiver {
  /** Called before the first byte is written. An abort in this method sends nothing. */
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

/** The secrets of a request. Secrets are masked in the response too. */
export function secretsOf({ headers }: Pick<WireRequest, 'headers'>): string[] {
  const key = headers['x-api-key']
  const token = headers['authorization']?.replace(/^Token /, '')
  return [key, token].filter((secret) => secret !== undefined && secret !== '') as string[]
}

/** A success response that cannot be used. The message is the end of a sentence. `explainBadBody` creates the error for the user. */
export class BadBody extends Error {
  readonly kind: 'unreadable' | 'unconfirmed' | 'mismatch'

  constructor(kind: BadBody['kind'], message: string) {
    super(message)
    this.kind = kind
  }

  /** A body that does not match the contract or the request. */
  static mismatch(problems: readonly string[]): BadBody {
    return new BadBody('mismatch', problems.slice(0, 3).join('; '))
  }
}
