import * as z from 'zod/mini'
import { ceLabel, dashboardUrl, recommendations } from './content.ts'
import { type CallOutput, type Endpoint, isEndpoint } from './endpoint.ts'
import { toLenient } from './lenient.ts'
import { questions } from './questions.ts'
import { biomarkers, scanUrl } from './scans.ts'
import { metrics, summary, wellbeing } from './scores.ts'
import { users } from './users.ts'
import { widgets } from './widgets.ts'

/** Every endpoint. The client, the sandbox, the OpenAPI document, and the `api` command are derived from this value. */
export const contract = {
  users,
  scanUrl,
  biomarkers,
  metrics,
  wellbeing,
  summary,
  questions,
  dashboardUrl,
  recommendations,
  ceLabel,
  widgets,
}

export type Contract = typeof contract

/** The dotted name of an endpoint: `metrics`, `users.get`. */
export type EndpointName = {
  [Name in keyof Contract]: Contract[Name] extends Endpoint
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

export type ReplyOf<Name extends EndpointName> =
  At<Contract, Name> extends infer Found extends Endpoint ? CallOutput<Found> : never

export type EffectsOf<Name extends EndpointName> = Extract<At<Contract, Name>, Endpoint>['effect']

export function endpoints(): [name: string, endpoint: Endpoint][] {
  return Object.entries(contract).flatMap(([name, node]) =>
    isEndpoint(node)
      ? [[name, node] as [string, Endpoint]]
      : Object.entries(node).map(([verb, leaf]) => [`${name}.${verb}`, leaf] as [string, Endpoint]),
  )
}

export interface Route {
  name: string
  endpoint: Endpoint
  /** The path parameters, still percent-encoded. */
  params: Record<string, string>
}

/** Finds the endpoint for a method and a path. Prefers a path without parameters. */
export function findRoute(method: string, path: string): Route | undefined {
  patterns ??= endpoints().map(([name, endpoint]) => {
    const literal = endpoint.path.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
    const pattern = new RegExp(`^${literal.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
    return { name, endpoint, pattern }
  })
  const routes = patterns.flatMap(({ name, endpoint, pattern }) => {
    const match = endpoint.method === method ? pattern.exec(path) : null
    return match ? [{ name, endpoint, params: { ...match.groups } }] : []
  })
  return routes.find(({ endpoint }) => endpoint.path === path) ?? routes[0]
}

let patterns: { name: string; endpoint: Endpoint; pattern: RegExp }[] | undefined

/** The schema of the result of an endpoint. An empty response is null. */
export function replySchema<Name extends EndpointName>(name: Name): z.core.$ZodType<ReplyOf<Name>> {
  const endpoint = new Map(endpoints()).get(name)
  const replies = Object.values(endpoint?.replies ?? {}).map((reply) => {
    if (reply === 'png') throw new Error(`the response of ${name} is an image, not JSON`)
    return reply === null ? z.null() : toLenient(reply)
  })
  const [first = z.null(), ...rest] = replies
  return (rest.length === 0 ? first : z.union([first, ...rest])) as z.core.$ZodType<ReplyOf<Name>>
}
