import { toJsonText } from '../base/json.ts'
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
  /** The path of the endpoint as a trace may show it, where that is another. */
  route?: string
  /** The whole body as JSON, from whoever can write it faster. */
  json?: string
}

function headersOf(
  endpoint: Endpoint,
  body: string | undefined,
  credential: HttpCredential | undefined,
  userAgent: string,
): Record<string, string> {
  const headers: Record<string, string> = {
    accept: endpoint.replies[200] === 'png' ? 'image/png, application/json' : 'application/json',
    'user-agent': userAgent,
  }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (credential === undefined || endpoint.credentials.length === 0) return headers
  if (credential.kind === 'key') headers['x-api-key'] = credential.value
  else headers['authorization'] = `Token ${credential.value}`
  return headers
}

/** Where a path below the base URL is, whose own path is kept. */
export function locate(base: URL, path: string): Pick<WireRequest, 'origin' | 'path'> {
  return { origin: base.origin, path: base.pathname.replace(/\/+$/, '') + path }
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
  const path = fillPath(endpoint.path, input.params) + encodeQuery(queryOf(endpoint, input, user))
  const body = bodyOf(endpoint, input, user)
  return {
    method: endpoint.method,
    ...locate(baseUrl, path),
    route: input.route ?? endpoint.path,
    headers: headersOf(endpoint, body, credential, userAgent),
    body,
    secretReply: endpoint.secretReply ?? false,
  }
}

function queryOf(
  endpoint: Endpoint,
  { query }: AnyInput,
  user: AnyInput['user'],
): Readonly<Record<string, unknown>> {
  if (endpoint.user?.in !== 'query' || user === undefined) return query ?? {}
  return query === undefined ? user : { ...user, ...query }
}

function bodyOf(endpoint: Endpoint, input: AnyInput, user: AnyInput['user']): string | undefined {
  if (input.json !== undefined) return input.json
  if (endpoint.user?.in === 'body') return toJsonText({ ...user, ...(input.body as object | undefined) })
  return input.body === undefined ? undefined : toJsonText(input.body)
}
