import { timingSafeEqual } from 'node:crypto'
import type { EndpointDefinition } from '../contract/endpoint.ts'
import type { Service } from './handler.ts'
import { findUser, type UserRecord } from './records/users.ts'
import { Refusal } from './refusal.ts'
import { readToken } from './tokens.ts'

/** The caller of an endpoint: the holder of an API key, the user of an action token, or anyone for a public endpoint. */
export type Caller = { kind: 'key' } | { kind: 'token'; user: UserRecord } | { kind: 'public' }

/**
 * Checks the credentials of a request (spec 5). An invalid credential is a 401. A valid credential that the endpoint does not accept is a
 * 403. A key takes precedence over a token.
 */
export async function identifyCaller(
  { credentials }: EndpointDefinition,
  headers: Readonly<Record<string, string>>,
  service: Service,
): Promise<Caller> {
  if (credentials.length === 0) return { kind: 'public' }
  const { 'x-api-key': key, authorization } = headers
  const user = authorization === undefined ? undefined : await findHolder(authorization, service)
  const isInvalid = (key !== undefined && !isIssued(key, service)) || (authorization !== undefined && !user)
  if (isInvalid || (key === undefined && !user)) throw new Refusal(401, 'missing or invalid credentials')
  if (key !== undefined && credentials.includes('key')) return { kind: 'key' }
  if (user && credentials.includes('token')) return { kind: 'token', user }
  const name = key === undefined ? 'an action token' : 'an API key'
  throw new Refusal(403, `this endpoint cannot be used with ${name}`)
}

/** Compares keys in constant time. The duration reveals only the length of a key, and all keys have the same length. */
function isIssued(key: string, { store }: Service): boolean {
  const given = Buffer.from(key)
  return Object.values(store.keys)
    .map((issued) => Buffer.from(issued.key))
    .map((issued) => issued.length === given.length && timingSafeEqual(issued, given))
    .includes(true)
}

async function findHolder(authorization: string, { store, now }: Service): Promise<UserRecord | undefined> {
  const [, token] = /^token +(\S+)$/i.exec(authorization) ?? []
  const claims = token ? await readToken(store.tokenSecret, token, 'api', now()) : undefined
  return claims && findUser(store, claims.userId)
}
