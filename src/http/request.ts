import { UsageError } from '../base/errors.ts'
import { fieldsOf, toJsonText } from '../base/json.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { WireRequest } from './wire.ts'

/** The credential of a request. Its value must not appear in any output. */
export type HttpCredential = { kind: 'key' | 'token'; value: string; source: string }

/** The input of any call. The typed client uses a more specific type for each endpoint. */
export interface AnyInput {
  user?: Readonly<Record<string, string>>
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, unknown>>
  body?: unknown
  /** Path template for traces (default: the path of the endpoint). */
  route?: string
  /** The complete body as JSON text, used instead of `body`. */
  json?: string
}

export function locate(base: URL, path: string): Pick<WireRequest, 'origin' | 'path'> {
  return { origin: base.origin, path: base.pathname.replace(/\/+$/, '') + path }
}

/** Builds the request of a call. A request with an action token contains no user ID, because the token already identifies the user. */
export function buildRequest(
  endpoint: Endpoint,
  input: AnyInput,
  baseUrl: URL,
  credential: HttpCredential | undefined,
  userAgent: string,
): WireRequest {
  const user = credential?.kind === 'token' ? undefined : input.user
  const query = endpoint.user?.in === 'query' ? { ...user, ...input.query } : (input.query ?? {})
  const path = fillPath(endpoint.path, input.params) + encodeQuery(query)
  const body = bodyOf(endpoint, input, user)
  const headers: Record<string, string> = {
    accept: endpoint.replies[200] === 'png' ? 'image/png, application/json' : 'application/json',
    'user-agent': userAgent,
  }
  if (body !== undefined) headers['content-type'] = 'application/json'
  const used = endpoint.credentials.length > 0 ? credential : undefined
  if (used?.kind === 'key') headers['x-api-key'] = used.value
  if (used?.kind === 'token') headers['authorization'] = `Token ${used.value}`
  return {
    method: endpoint.method,
    ...locate(baseUrl, path),
    route: input.route ?? endpoint.path,
    headers,
    body,
    secretReply: endpoint.secretReply ?? false,
  }
}

function bodyOf(endpoint: Endpoint, input: AnyInput, user: AnyInput['user']): string | undefined {
  if (input.json !== undefined) return input.json
  const body = endpoint.user?.in === 'body' ? { ...user, ...(input.body as object | undefined) } : input.body
  if (body === undefined) return undefined
  // The body of a raw call is sent exactly as the user wrote it.
  return toJsonText(input.route === undefined ? encodeExternalId(body) : body)
}

/**
 * If the external user ID in a body contains a percent sign, URL-encodes the ID, because the service decodes it (spec 2.1, 4.1). Decoding
 * does not change other IDs, so they are sent unchanged.
 */
function encodeExternalId(body: unknown): unknown {
  const fields = fieldsOf(body)
  const { external_user_id: id } = fields
  if (typeof id !== 'string') return body
  if (!id.isWellFormed()) throw new UsageError('the external user ID is not valid Unicode text')
  return id.includes('%') ? { ...fields, external_user_id: encodeURIComponent(id) } : body
}

/**
 * Inserts the parameters into a path template. Each value becomes one encoded segment of the path. Security boundary: refuses a value that
 * would select another resource.
 */
export function fillPath(template: string, params: Readonly<Record<string, string>> = {}): string {
  return template.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new UsageError(`${name} is missing from the path`)
    return encodeSegment(name, value)
  })
}

function encodeSegment(name: string, value: string): string {
  if (value === '' || value === '.' || value === '..') {
    throw new UsageError(`${name} cannot be "${value}"`)
  }
  return encodeURIComponent(toText(name, value))
}

function toText(name: string, value: unknown): string {
  const text = String(value)
  // URLSearchParams silently replaces invalid Unicode, so two different IDs could become identical.
  if (!text.isWellFormed()) throw new UsageError(`${name} is not valid Unicode text`)
  return text
}

/** Encodes query parameters in their order. Omits undefined and null. A list becomes one parameter for each item. */
export function encodeQuery(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    for (const item of Array.isArray(value) ? value : [value]) search.append(name, toText(name, item))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}
