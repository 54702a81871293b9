import * as z from 'zod/mini'
import { orUndefined } from '../base/functions.ts'
import { fieldsOf } from '../base/json.ts'
import type { UserIdName, UserRule } from '../contract/endpoint.ts'
import { identifiers } from '../contract/fields.ts'
import { findUser, findUserByExternalId, type UserRecord } from './records/users.ts'
import { type Problem, problem, Refusal } from './refusal.ts'
import type { Store } from './store.ts'

/** The revision of the specification whose user IDs the sandbox accepts (spec 9). */
export type Revision = 'current' | 'earlier' | 'both'

const names = ['external_user_id', 'user_id'] as const satisfies UserIdName[]

interface Identified {
  identifier?: { name: UserIdName; value: string }
  problems: Problem[]
}

/** Reads the user ID from a query or a body (spec 4). Returns problems unless there is exactly one user ID, which must be valid. */
export function readIdentifier(rule: UserRule, revision: Revision, input: unknown): Identified {
  const fields = fieldsOf(input)
  const sent = names.filter((name) => fields[name] !== undefined && fields[name] !== null)
  const allowed = revision === 'current' ? rule.current : rule.earlier
  const found = findProblem(allowed, sent)
  const [name] = sent
  if (found || !name) return { problems: found ? [found] : [] }
  const { data: value, error } = z.safeParse(identifiers[name], fields[name])
  if (value !== undefined) return { identifier: { name, value }, problems: [] }
  return { problems: error?.issues.map(({ message }) => problem(['body', name], message)) ?? [] }
}

function findProblem(allowed: readonly UserIdName[], sent: readonly UserIdName[]): Problem | undefined {
  const other = sent.find((name) => !allowed.includes(name))
  if (other)
    return problem(
      ['body', other],
      `${other} is not supported by this endpoint; send ${allowed.join(' or ')}`,
    )
  const exactlyOne =
    allowed.length === 1
      ? `${allowed[0]} is required`
      : `either ${allowed.join(' or ')} is required, but not both`
  if (sent.length === 0) return problem(['body', allowed[0] ?? ''], exactlyOne, 'value_error.missing')
  return sent.length > 1 ? problem(['body', 'user_id'], exactlyOne) : undefined
}

export function findIdentified(store: Store, { identifier }: Identified): UserRecord | undefined {
  if (!identifier) return undefined
  const { name, value } = identifier
  const user = name === 'user_id' ? findUser(store, value) : findUserByExternalId(store, value)
  if (!user) throw new Refusal(404, 'user not found')
  return user
}

/** Refuses a user ID in a request with an action token, because the token implies the user (spec 5). */
export function refuseIdentifiers(query: URLSearchParams, body: unknown): void {
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

/** The body with a decoded external user ID. The ID in a body can be percent-encoded (spec 4.1). */
export function decodeExternalId(body: unknown): unknown {
  const fields = fieldsOf(body)
  const { external_user_id: id } = fields
  if (typeof id !== 'string') return body
  // Percent escapes stay unchanged if they are not valid UTF-8.
  const decoded = id.replace(escapeRuns, (escapes) => decodeText(escapes) ?? escapes)
  return { ...fields, external_user_id: decoded }
}

const escapeRuns = /(?:%[0-9a-f]{2})+/gi

export function decodeText(escapes: string): string | undefined {
  return orUndefined(() => decodeURIComponent(escapes))
}

/** Refuses a query with invalid UTF-8. URLSearchParams would replace invalid UTF-8 without an error, so two IDs could become the same ID. */
export function refuseInvalidUtf8(search: string): void {
  if (search.match(escapeRuns)?.some((escapes) => decodeText(escapes) === undefined))
    throw new Refusal(400, 'the query is not valid UTF-8')
}
