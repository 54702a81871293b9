import type * as z from 'zod/mini'
import { once } from '../base/functions.ts'
import type { LenientOutput } from './lenient.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type CredentialKind = 'key' | 'token'
export type UserIdName = 'external_user_id' | 'user_id'

/** Rules for the one user ID in a request with an API key (spec 4), in the current and the earlier revision (spec 9). */
export interface UserRule {
  in: 'query' | 'body'
  current: readonly UserIdName[]
  earlier: readonly UserIdName[]
  /** Whether the specification calls the identifier optional although the service requires it. */
  documentedAsOptional?: boolean
}

/**
 * When a request with an unknown outcome can be retried. `read`: always, because the request changes nothing. `repeatable`: always, because
 * two requests have the same effect as one. `once`: only if the request was certainly not sent.
 */
export type RetryClass = 'read' | 'repeatable' | 'once'

/** Effect of a call on stored data, for the production guard and the command schema. */
export type Effect = 'read' | 'change' | 'destroy'

/** The response is a PNG image instead of JSON. */
export const png = 'png'

type Schema = z.core.$ZodType
type ReplySchema = Schema | null | typeof png

interface Name {
  method: Method
  /** Path relative to the base URL, with parameters in braces: `/v2/users/{user_id}`. */
  path: `/${string}`
  summary: string
}

interface Facts {
  /** Section of the specification, such as `4.3`. */
  section: string
  /** Accepted credentials. Empty if the endpoint is public. */
  credentials: readonly CredentialKind[]
  user?: UserRule
  retry: RetryClass
  effect: Effect
  deprecated?: boolean
  /** Whether the response is a credential, or a link that contains a credential. */
  secretReply?: boolean
}

/** Query values arrive as text. If the schema requires a whole number, the sandbox converts digits to a number. */
type QueryValue = z.core.$ZodString | z.core.$ZodEnum | z.core.$ZodNumberFormat

type QueryField = QueryValue | z.ZodMiniOptional<QueryValue> | z.ZodMiniDefault<QueryValue>

export interface Endpoint extends Name, Facts {
  /** Response schemas by success status. `null` is an empty body, `png` is an image. */
  readonly replies: Readonly<Record<number, ReplySchema>>
  readonly params?: z.ZodMiniObject
  readonly query?: z.ZodMiniObject<Record<string, QueryField>>
  readonly body?: Schema
  /** Body in the earlier revision of the specification (spec 9), if the body differs. */
  readonly bodyInEarlierRevision?: Schema
}

type Schemas = Omit<Endpoint, keyof Name | keyof Facts>

const schemaNames = ['params', 'query', 'body', 'bodyInEarlierRevision', 'replies'] as const

type RouteText = `${Method} /${string}`

/** If the name of a schema is misspelled, the definition does not compile. */
type Known<S> = S & { [Name in Exclude<keyof S, keyof Schemas>]: never }

/** Types are inferred from the literal arguments. Schemas are built on first use, because building all of them takes milliseconds. */
export function endpoint<const F extends Facts, const S extends Schemas>(
  route: RouteText,
  summary: string,
  facts: F & { schemas: () => Known<S> },
): Name & F & S {
  const [method, path] = route.split(' ')
  const build = once((): Schemas => facts.schemas())
  const getters = schemaNames.map((name) => [name, { get: () => build()[name], enumerable: true }])
  const named = { method, path, summary, ...facts }
  return Object.defineProperties<object>(named, Object.fromEntries(getters)) as Name & F & S
}

export function readEndpoint<const F extends Omit<Facts, 'retry' | 'effect'>, const S extends Schemas>(
  route: RouteText,
  summary: string,
  facts: F & { schemas: () => Known<S> },
) {
  const isRead = { retry: 'read', effect: 'read' } as const
  return endpoint<F & typeof isRead, S>(route, summary, { ...facts, ...isRead })
}

const externalOnly = ['external_user_id'] as const
const either = ['external_user_id', 'user_id'] as const

/** The identification rules of spec 4. */
export const userRules = {
  externalInQuery: { in: 'query', current: externalOnly, earlier: externalOnly },
  optionalExternalInQuery: {
    in: 'query',
    current: externalOnly,
    earlier: externalOnly,
    documentedAsOptional: true,
  },
  eitherInQuery: { in: 'query', current: externalOnly, earlier: either },
  eitherInBody: { in: 'body', current: externalOnly, earlier: either },
  internalInQuery: { in: 'query', current: ['user_id'], earlier: ['user_id'] },
} as const satisfies Record<string, UserRule>

type InputOf<S> = S extends Schema ? z.input<S> : never

/** The identifiers that a caller can pass, in both revisions of the specification. */
type IdentifierOf<E extends Endpoint> = E['user'] extends UserRule
  ? { [K in E['user']['earlier'][number]]: { [P in K]: string } }[E['user']['earlier'][number]]
  : never

type InputPart<Name extends string, Value> = [Value] extends [never]
  ? unknown
  : Record<never, never> extends Value
    ? { [K in Name]?: Value }
    : { [K in Name]: Value }

/** The input of a call: path parameters, query, and body. Also contains `user`, unless an action token already identifies the user. */
export type CallInput<E extends Endpoint> = InputPart<'params', InputOf<E['params']>> &
  InputPart<'query', InputOf<E['query']>> &
  InputPart<'body', InputOf<E['body']> | InputOf<E['bodyInEarlierRevision']>> &
  ([IdentifierOf<E>] extends [never]
    ? unknown
    : 'token' extends E['credentials'][number]
      ? { user?: IdentifierOf<E> }
      : { user: IdentifierOf<E> })

type ReplyValue<S> = S extends Schema ? LenientOutput<S> : S extends typeof png ? Uint8Array : null

/** The result of a call: one of the success responses. `null` if the body is empty. */
export type CallOutput<E extends Endpoint> = ReplyValue<E['replies'][keyof E['replies']]>

/** Whether a value of the contract is an endpoint and not a group of endpoints. */
export function isEndpoint(node: object): node is Endpoint {
  return 'method' in node && 'path' in node
}
