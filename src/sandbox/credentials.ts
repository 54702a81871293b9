import type { Credential, EndpointDefinition } from '../contract/endpoint.ts'
import type { Service } from './handler.ts'
import { findUser, type UserRecord } from './records/users.ts'
import { Refusal } from './refusal.ts'
import { isSameSecret, type Store } from './store.ts'
import { readToken } from './tokens.ts'

/** The caller: the holder of an API key, the user of an action token, or anyone (public endpoints). */
export type Caller = { kind: 'key' } | { kind: 'token'; user: UserRecord } | { kind: 'public' }

/**
 * Checks the credentials of a request (spec 5). Every credential must be valid (401), and the endpoint must accept one of
 * them (403). A key takes precedence over a token.
 */
export async function identifyCaller(
  endpoint: EndpointDefinition,
  headers: Headers,
  service: Service,
): Promise<Caller> {
  if (endpoint.credentials.length === 0) return { kind: 'public' }
  const callers = await readCallers(headers, service)
  const [sent] = callers
  if (!sent) throw unauthenticated()
  const accepted = callers.find((caller) => endpoint.credentials.includes(caller.kind as Credential))
  if (accepted) return accepted
  const name = sent.kind === 'key' ? 'an API key' : 'an action token'
  throw new Refusal(403, `this endpoint cannot be used with ${name}`)
}

async function readCallers(headers: Headers, service: Service): Promise<Caller[]> {
  const callers: Caller[] = []
  const key = headers.get('x-api-key')
  if (key !== null) callers.push(callerOfKey(key, service.store))
  const authorization = headers.get('authorization')
  if (authorization !== null) callers.push(await callerOfToken(authorization, service))
  return callers
}

function callerOfKey(key: string, { keys }: Store): Caller {
  const matches = [keys.development, keys.production].map((issued) => isSameSecret(key, issued.key))
  if (!matches.includes(true)) throw unauthenticated()
  return { kind: 'key' }
}

async function callerOfToken(authorization: string, { store, now }: Service): Promise<Caller> {
  const [, token] = /^token +(\S+)$/i.exec(authorization) ?? []
  const claims = token && (await readToken(store.tokenSecret, token, 'api', now()))
  const user = claims && findUser(store, claims.userId)
  if (!user) throw unauthenticated()
  return { kind: 'token', user }
}

function unauthenticated(): Refusal {
  return new Refusal(401, 'missing or invalid credentials')
}
