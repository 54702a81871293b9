import type { CallOutput, Effect, EndpointDefinition } from './endpoint.ts'
import type { Contract } from './index.ts'

/** The dotted name of an endpoint: `metrics`, `users.get`. */
export type EndpointName = {
  [Name in keyof Contract]: Contract[Name] extends EndpointDefinition
    ? Name
    : `${Name}.${keyof Contract[Name] & string}`
}[keyof Contract]

type At<Node, Name> = Name extends `${infer Group}.${infer Rest}`
  ? Group extends keyof Node
    ? At<Node[Group], Rest>
    : never
  : Name extends keyof Node
    ? Node[Name]
    : never

/** The result of a call of the named endpoint. */
export type ReplyOf<Name extends EndpointName> =
  At<Contract, Name> extends infer Found extends EndpointDefinition ? CallOutput<Found> : never

/** The effects of the named endpoints. */
export type EffectsOf<Name extends EndpointName> = Name extends unknown
  ? At<Contract, Name> extends { effect: infer Found extends Effect }
    ? Found
    : never
  : never
