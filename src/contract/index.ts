import { ceLabel, dashboardUrl, recommendations } from './content.ts'
import { type EndpointDefinition, isEndpoint } from './endpoint.ts'
import { questions } from './questions.ts'
import { biomarkers, scanUrl } from './scans.ts'
import { metrics, summary, wellbeing } from './scores.ts'
import { users } from './users.ts'
import { widgets } from './widgets.ts'

/** Every endpoint. The client, the sandbox, the OpenAPI document and the `api` command are derived from this value. */
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

/** Every endpoint with its dotted name, such as `users.create`. */
export function endpoints(): [name: string, endpoint: EndpointDefinition][] {
  return Object.entries(contract).flatMap(([name, node]) =>
    isEndpoint(node)
      ? [[name, node] as [string, EndpointDefinition]]
      : Object.entries(node).map(([verb, leaf]) => [`${name}.${verb}`, leaf] as [string, EndpointDefinition]),
  )
}

/** The endpoint for a method and a path. A literal path takes precedence over a path with parameters. */
export function findEndpoint(method: string, path: string): EndpointDefinition | undefined {
  const candidates = endpoints()
    .map(([, endpoint]) => endpoint)
    .filter((candidate) => candidate.method === method && pathPattern(candidate.path).test(path))
  return candidates.find((candidate) => candidate.path === path) ?? candidates[0]
}

function pathPattern(template: string): RegExp {
  const literal = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replace(/\{[^}]+\}/g, '[^/]+')}$`)
}
