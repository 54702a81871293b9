import type { Endpoint } from '../contract/endpoint.ts'
import { encodeQuery, fillPath } from './path.ts'
import type { WireRequest } from './wire.ts'

/** A credential as a request carries it; the value appears here and in no output. */
export type HttpCredential = { kind: 'key' | 'token'; value: string; source: string }

/** What any call takes; the typed client narrows it for each endpoint. */
export interface AnyInput {
  user?: Readonly<Record<string, string>>
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, unknown>>
  body?: unknown
}

function authHeaders(credential: HttpCredential | undefined): Record<string, string> {
  if (credential === undefined) return {}
  return credential.kind === 'key'
    ? { 'x-api-key': credential.value }
    : { authorization: `Token ${credential.value}` }
}

/** The address of a path below the base URL, whose own path is kept. */
export function resolveUrl(base: URL, path: string): URL {
  return new URL(`${base.origin}${base.pathname.replace(/\/+$/, '')}${path}`)
}

/** Turns a call into the request the contract describes. A token implies its user, so none is sent with one. */
export function buildRequest(
  endpoint: Endpoint,
  input: AnyInput,
  baseUrl: URL,
  credential: HttpCredential | undefined,
  userAgent: string,
): WireRequest {
  const user = credential?.kind === 'token' ? undefined : input.user
  const query = { ...(endpoint.user?.in === 'query' ? user : undefined), ...input.query }
  const path = fillPath(endpoint.path, input.params) + encodeQuery(query)
  const body = bodyOf(endpoint, input, user)
  return {
    method: endpoint.method,
    url: resolveUrl(baseUrl, path),
    headers: {
      accept: Object.values(endpoint.replies).includes('png')
        ? 'image/png, application/json'
        : 'application/json',
      'user-agent': userAgent,
      ...(body === undefined ? undefined : { 'content-type': 'application/json' }),
      ...(endpoint.credentials.length > 0 ? authHeaders(credential) : undefined),
    },
    body,
    secretReply: endpoint.secretReply ?? false,
  }
}

function bodyOf(endpoint: Endpoint, input: AnyInput, user: AnyInput['user']): string | undefined {
  if (endpoint.user?.in === 'body') return JSON.stringify({ ...user, ...(input.body as object | undefined) })
  return input.body === undefined ? undefined : JSON.stringify(input.body)
}
