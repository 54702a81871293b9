import { timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import { fieldsOf } from '../base/json.ts'
import type { Endpoint, UserIdName, UserRule } from '../contract/endpoint.ts'
import { identifiers } from '../contract/fields.ts'
import type { Body } from './body.ts'
import type { Revision, Service } from './handler.ts'
import { type Problem, problem, Refusal } from './message.ts'
import { findUser, type UserIdentifier, type UserRecord } from './records.ts'

/**
 * Checks the credentials of a request (spec 5). Returns the user of the action token if the endpoint accepts it. Throws a 401 for an
 * invalid credential, and a 403 for a valid credential that the endpoint does not accept. A key takes precedence over a token.
 */
export async function identifyHolder(
  { credentials }: Endpoint,
  headers: Readonly<Record<string, string>>,
  service: Service,
): Promise<UserRecord | undefined> {
  if (credentials.length === 0) return undefined
  const { 'x-api-key': key, authorization } = headers
  const user = authorization === undefined ? undefined : await findHolder(authorization, service)
  const isInvalid = (key !== undefined && !isIssued(key, service)) || (authorization !== undefined && !user)
  if (isInvalid || (key === undefined && !user)) throw new Refusal(401, 'missing or invalid credentials')
  if (key !== undefined && credentials.includes('key')) return undefined
  if (user && credentials.includes('token')) return user
  const name = key === undefined ? 'an action token' : 'an API key'
  throw new Refusal(403, `this endpoint cannot be used with ${name}`)
}

/** Compares keys in constant time. The time depends only on the length, and all keys have the same length. */
function isIssued(key: string, { store }: Service): boolean {
  const given = Buffer.from(key)
  const issued = Object.values(store.keys).map(({ key: text }) => Buffer.from(text))
  return issued.filter((one) => one.length === given.length && timingSafeEqual(one, given)).length > 0
}

async function findHolder(authorization: string, { store, now }: Service): Promise<UserRecord | undefined> {
  const [, token] = /^token +(\S+)$/i.exec(authorization) ?? []
  if (token === undefined) return undefined
  const { readToken } = await import('./tokens.ts')
  const claims = await readToken(store.tokenSecret, token, 'api', now())
  return claims && findUser(store, { user_id: claims.userId })
}

/** The user of a request (spec 4, 5). Throws if the user ID is missing, invalid, or unknown, or if the body is invalid. */
export function identifyUser(
  { user: rule }: Endpoint,
  holder: UserRecord | undefined,
  query: URLSearchParams,
  body: Body | undefined,
  { store, revision }: Service,
): UserRecord | undefined {
  if (holder) refuseIdentifiers(query, body?.raw)
  const input = rule?.in === 'query' ? Object.fromEntries(query) : body?.raw
  const found = rule && !holder ? readIdentifier(rule, revision, input) : undefined
  const wrong = found && 'msg' in found ? found : undefined
  if (rule?.in === 'query' && wrong) {
    const isAboutUserId = wrong.loc.includes('user_id') || wrong.msg.includes('user_id')
    throw new Refusal(400, isAboutUserId ? wrong.msg : `external_user_id: ${wrong.msg}`)
  }
  const problems = [...(wrong ? [wrong] : []), ...(body?.problems ?? [])]
  if (problems.length > 0) throw new Refusal(422, problems)
  if (!found || 'msg' in found) return holder
  const user = findUser(store, found)
  if (!user) throw new Refusal(404, 'user not found')
  return user
}

const names = ['external_user_id', 'user_id'] as const satisfies UserIdName[]

/** Reads the user ID from a query or a body (spec 4). Returns a problem if the number of valid user IDs is not one. */
function readIdentifier(rule: UserRule, revision: Revision, input: unknown): Problem | UserIdentifier {
  const fields = fieldsOf(input)
  const sent = names.filter((name) => fields[name] !== undefined && fields[name] !== null)
  const allowed = revision === 'current' ? rule.current : rule.earlier
  const either = allowed.join(' or ')
  const other = sent.find((name) => !allowed.includes(name))
  if (other) return problem(['body', other], `${other} is not supported by this endpoint; send ${either}`)
  const [name, second] = sent
  const exactlyOne =
    allowed.length === 1 ? `${either} is required` : `either ${either} is required, but not both`
  if (!name) return problem(['body', allowed[0] ?? ''], exactlyOne, 'value_error.missing')
  if (second) return problem(['body', second], exactlyOne)
  const { data: value, error } = z.safeParse(identifiers[name], fields[name])
  if (error) return problem(['body', name], error.issues[0]?.message ?? '')
  return name === 'user_id' ? { user_id: value } : { external_user_id: value }
}

/** Refuses a request that contains a user ID and an action token, because the token already identifies the user (spec 5). */
function refuseIdentifiers(query: URLSearchParams, body: unknown): void {
  const message = (name: string) => `${name} must not be sent with an action token`
  const inQuery = names.find((name) => query.has(name))
  if (inQuery) throw new Refusal(400, message(inQuery))
  const inBody = names.filter((name) => name in fieldsOf(body))
  if (inBody.length > 0)
    throw new Refusal(
      422,
      inBody.map((name) => problem(['body', name], message(name))),
    )
}
