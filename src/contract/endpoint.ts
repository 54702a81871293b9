import type * as z from 'zod'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
export type Credential = 'key' | 'token'
export type UserIdName = 'external_user_id' | 'user_id'

/**
 * How an endpoint that is called with an API key learns which user is meant (specification, section 4).
 * `current` and `earlier` are the identifiers accepted by the two revisions in use; exactly one must be sent.
 */
export interface UserRule {
  in: 'query' | 'body'
  current: readonly UserIdName[]
  earlier: readonly UserIdName[]
}

/**
 * Whether a request may be sent again when its outcome is not known.
 * `read`: changes nothing; `repeatable`: a second application changes nothing more; `once`: only when provably not sent.
 */
export type RetryClass = 'read' | 'repeatable' | 'once'

/** What a call does to stored data; the production guard and the command schema read it. */
export type Effect = 'read' | 'change' | 'destroy'

/** A reply that is not JSON: a PNG image. */
export const png = 'png'

type ReplySchema = z.ZodType | null | typeof png

/** What a client needs to know of an endpoint to call it. */
export interface Endpoint {
  method: Method
  /** Relative to the base URL, with parameters in braces: `/v2/users/{user_id}`. */
  path: `/${string}`
  summary: string
  /** Section of the specification. */
  section: string
  /** Empty where the endpoint is public. */
  credentials: readonly Credential[]
  user?: UserRule
  /** Success statuses and their replies: a schema, `null` for an empty body, `png` for an image. */
  replies: Readonly<Record<number, unknown>>
  retry: RetryClass
  effect: Effect
  deprecated?: boolean
  /** The reply is a credential, or a link that carries one. */
  secretReply?: boolean
}

/** An endpoint as the contract defines it: with the schemas of what goes in and comes out. */
export interface EndpointDefinition extends Endpoint {
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  replies: Readonly<Record<number, ReplySchema>>
}

/** Keeps the literal types of an endpoint, so that client and sandbox derive from them. */
export function endpoint<const E extends EndpointDefinition>(definition: E): E {
  return definition
}

const externalOnly = ['external_user_id'] as const
const either = ['external_user_id', 'user_id'] as const

/** The four identification rules that section 4 uses. */
export const userRules = {
  externalInQuery: { in: 'query', current: externalOnly, earlier: externalOnly },
  eitherInQuery: { in: 'query', current: externalOnly, earlier: either },
  eitherInBody: { in: 'body', current: externalOnly, earlier: either },
  internalInQuery: { in: 'query', current: ['user_id'], earlier: ['user_id'] },
} as const satisfies Record<string, UserRule>

type Parsed<S> = S extends z.ZodType ? z.input<S> : never

/** The identifier a caller gives: one of those that any revision accepts. */
type UserRef<E extends EndpointDefinition> = E['user'] extends UserRule
  ? { [K in E['user']['earlier'][number]]: { [P in K]: string } }[E['user']['earlier'][number]]
  : never

type Part<Name extends string, Value> = [Value] extends [never]
  ? unknown
  : Record<never, never> extends Value
    ? { [K in Name]?: Value }
    : { [K in Name]: Value }

/** What a call of the endpoint takes: `user` (unless a token implies it), path parameters, query and body. */
export type CallInput<E extends EndpointDefinition> = Part<'params', Parsed<E['params']>> &
  Part<'query', Parsed<E['query']>> &
  Part<'body', Parsed<E['body']>> &
  ([UserRef<E>] extends [never]
    ? unknown
    : 'token' extends E['credentials'][number]
      ? { user?: UserRef<E> }
      : { user: UserRef<E> })

type ReplyOf<S> = S extends z.ZodType ? z.output<S> : S extends typeof png ? Uint8Array : null

/** What a call answers: the union of its success replies; `null` for an empty body. */
export type CallOutput<E extends EndpointDefinition> = ReplyOf<E['replies'][keyof E['replies']]>

/** A leaf of the contract is an endpoint, every other node a group of them. */
export function isEndpoint(node: object): node is Endpoint {
  return 'method' in node && 'path' in node
}
