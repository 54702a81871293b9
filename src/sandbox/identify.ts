import * as z from 'zod'
import type { UserIdName, UserRule } from '../contract/endpoint.ts'
import { uuid } from '../contract/fields.ts'
import { findUser, findUserByExternalId, type UserRecord } from './records/users.ts'
import { type Problem, problem, Refusal } from './refusal.ts'
import type { Store } from './store.ts'

/** Which of the two revisions of the identification rules is served (specification, section 9). */
export type Revision = 'current' | 'earlier' | 'both'

const names = ['external_user_id', 'user_id'] as const satisfies UserIdName[]

export interface Identifier {
  name: UserIdName
  value: string
}

/** The one identifier in the query (specification, section 4). Anything but exactly one good one is a 400. */
export function identifierInQuery(rule: UserRule, revision: Revision, query: URLSearchParams): Identifier {
  const given = names.filter((name) => query.has(name))
  const allowed = allowedNames(rule, revision)
  refuseOthers(given, allowed)
  const [name] = given
  if (!name || given.length > 1) throw new Refusal(400, exactlyOne(allowed))
  const value = query.get(name) ?? ''
  const [issue] = schemas[name].safeParse(value).error?.issues ?? []
  if (issue) throw new Refusal(400, name === 'user_id' ? issue.message : `${name}: ${issue.message}`)
  return { name, value }
}

/** The one identifier in a body, or what is wrong with it. */
export function identifierInBody(
  rule: UserRule,
  revision: Revision,
  body: unknown,
): { identifier?: Identifier; problems: Problem[] } {
  const fields: Record<string, unknown> = typeof body === 'object' && body !== null ? { ...body } : {}
  const given = names.filter((name) => fields[name] !== undefined && fields[name] !== null)
  const allowed = allowedNames(rule, revision)
  refuseOthers(given, allowed)
  const [name] = given
  if (!name)
    return { problems: [problem(['body', 'external_user_id'], exactlyOne(allowed), 'value_error.missing')] }
  if (given.length > 1) return { problems: [problem(['body', 'user_id'], exactlyOne(allowed))] }
  const result = schemas[name].safeParse(fields[name])
  if (result.success) return { identifier: { name, value: result.data }, problems: [] }
  return { problems: result.error.issues.map((issue) => problem(['body', name], issue.message)) }
}

export function findIdentified(store: Store, { name, value }: Identifier): UserRecord {
  const user = name === 'user_id' ? findUser(store, value) : findUserByExternalId(store, value)
  if (!user) throw new Refusal(404, 'user not found')
  return user
}

/** With an action token the user is implied, and no identifier may be sent (specification, section 5). */
export function refuseIdentifiers(query: URLSearchParams, body: unknown): void {
  const inBody = typeof body === 'object' && body !== null ? body : {}
  const given = names.find((name) => query.has(name) || name in inBody)
  if (given) throw new Refusal(400, `${given} must not be sent with an action token`)
}

const schemas = { external_user_id: z.string().min(1), user_id: uuid }

function allowedNames(rule: UserRule, revision: Revision): readonly UserIdName[] {
  return revision === 'current' ? rule.current : rule.earlier
}

function refuseOthers(given: readonly UserIdName[], allowed: readonly UserIdName[]): void {
  const other = given.find((name) => !allowed.includes(name))
  if (other) throw new Refusal(400, `${other} is not accepted here: send ${allowed.join(' or ')}`)
}

function exactlyOne(allowed: readonly UserIdName[]): string {
  return allowed.length === 1
    ? `${allowed[0]} is required`
    : `exactly one of ${allowed.join(' and ')} is required`
}
