import type * as z from 'zod'
import type { EndpointDefinition, png, UserRule } from '../contract/endpoint.ts'
import type { Contract } from '../contract/index.ts'
import type { UserRecord } from './records/users.ts'
import type { Store } from './store.ts'

/** What every handler may use. */
export interface Service {
  store: Store
  now(): number
  /** The port at which a browser finds the pages, which outlives the command that hands out a link to them. */
  publicPort(): number
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined

type Identified<E extends EndpointDefinition> = E['user'] extends UserRule
  ? UserRecord
  : 'token' extends E['credentials'][number]
    ? UserRecord
    : undefined

/** A request whose credential, identifiers and values have all been checked against the contract. */
interface HandlerRequest<E extends EndpointDefinition> {
  service: Service
  user: Identified<E>
  params: Output<E['params']>
  query: Output<E['query']>
  body: Output<E['body']>
}

type ReplyBody<S> = S extends z.ZodType ? z.input<S> : S extends typeof png ? Uint8Array : null

/** One of the endpoint's success replies: a wrong status or body does not compile. */
type Reply<E extends EndpointDefinition> = {
  [Status in keyof E['replies']]: { status: Status; body: ReplyBody<E['replies'][Status]> }
}[keyof E['replies']]

type Handler<E extends EndpointDefinition> = (request: HandlerRequest<E>) => Reply<E> | Promise<Reply<E>>

/** A handler for each endpoint of the contract, in the contract's own shape. */
export type Handlers = {
  [Name in keyof Contract]: Contract[Name] extends EndpointDefinition
    ? Handler<Contract[Name]>
    : {
        [Verb in keyof Contract[Name]]: Contract[Name][Verb] extends EndpointDefinition
          ? Handler<Contract[Name][Verb]>
          : never
      }
}

/** A handler as the router sees it, its types erased. */
export type AnyHandler = (
  request: HandlerRequest<EndpointDefinition>,
) => Promise<{ status: number; body: unknown }>
