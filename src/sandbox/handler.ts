import type * as z from 'zod/mini'
import type { Endpoint, png, UserRule } from '../contract/endpoint.ts'
import type { Contract } from '../contract/index.ts'
import type { UserRecord } from './records.ts'
import type { Store } from './store.ts'

/** The revision of the specification whose user IDs the sandbox accepts (spec 9). */
export type Revision = 'current' | 'earlier' | 'both'

export interface Service {
  store: Store
  now(): number
  revision: Revision
  /** Returns the port of the process that serves the pages. It can be another process than the command that creates a link. */
  publicPort(): Promise<number>
  /** Whether a body with an unknown field is refused. Otherwise, the field is ignored and logged. */
  isStrict: boolean
}

type Output<S> = S extends z.core.$ZodType ? z.output<S> : undefined

type Identified<E extends Endpoint> = E['user'] extends UserRule
  ? UserRecord
  : 'token' extends E['credentials'][number]
    ? UserRecord
    : undefined

/** A request after the check of its credential, user ID, and values. */
interface HandlerRequest<E extends Endpoint> {
  service: Service
  user: Identified<E>
  params: Output<E['params']>
  query: Output<E['query']>
  body: Output<E['body']> | NonNullable<Output<E['bodyInEarlierRevision']>>
}

type ReplyBody<S> = S extends z.core.$ZodType ? z.input<S> : S extends typeof png ? Uint8Array : null

/** A success response of the endpoint. A wrong status or body does not compile. */
type Reply<E extends Endpoint> = {
  [Status in keyof E['replies']]: { status: Status; body: ReplyBody<E['replies'][Status]> }
}[keyof E['replies']]

type Handler<E extends Endpoint> = (request: HandlerRequest<E>) => Reply<E> | Promise<Reply<E>>

/** A handler for each endpoint of the contract. A missing handler does not compile. */
export type Handlers = {
  [Name in keyof Contract]: Contract[Name] extends Endpoint
    ? Handler<Contract[Name]>
    : {
        [Verb in keyof Contract[Name]]: Contract[Name][Verb] extends Endpoint
          ? Handler<Contract[Name][Verb]>
          : never
      }
}

/** A handler without the types of its endpoint, for the router. */
export type AnyHandler = (request: HandlerRequest<Endpoint>) => Promise<{ status: number; body: unknown }>
