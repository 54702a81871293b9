import type { Endpoint, Method } from '../contract/endpoint.ts'
import { findRoute } from '../contract/index.ts'
import type { AnyInput } from './request.ts'

export interface RawRequest {
  method: Method
  /** Path that starts with a slash and has no query. */
  path: string
  query?: Readonly<Record<string, unknown>>
  body?: unknown
}

/** The endpoint and the input of a call by method and path. */
export function rawCall({ method, path, query, body }: RawRequest): { endpoint: Endpoint; input: AnyInput } {
  const found = findRoute(method, path)?.endpoint
  const endpoint = { ...(found ?? unknownEndpoint(method)), path } as Endpoint
  // Any part of a path that is not in the contract may be an ID.
  const route = found?.path ?? path.replace(/[^/]+/g, '{unknown}')
  return { endpoint, input: { ...(query && { query }), body, route } }
}

/** Describes an endpoint that is not in the contract. The HTTP method determines its retry class and its effect. */
function unknownEndpoint(method: Method): Omit<Endpoint, 'path'> {
  const isRead = method === 'GET'
  const effect = isRead ? 'read' : method === 'DELETE' ? 'destroy' : 'change'
  const shared = {
    summary: `Send a raw ${method} request`,
    section: '',
    credentials: ['key', 'token'],
    replies: {},
  } as const
  return { ...shared, method, effect, retry: isRead ? 'read' : 'once' }
}
