import { ceLabel, dashboardUrl, recommendations } from './content.ts'
import type { Endpoint } from './endpoint.ts'
import { questions } from './questions.ts'
import { biomarkers, scanUrl } from './scans.ts'
import { metrics, summary, wellbeing } from './scores.ts'
import { users } from './users.ts'
import { widgets } from './widgets.ts'

/** The whole service: client, sandbox, OpenAPI document and the `api` command follow from this value. */
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

/** A leaf is an endpoint, every other node a group of them. */
export function isEndpoint(node: object): node is Endpoint {
  return 'method' in node && 'path' in node
}

/** Every endpoint with its dotted name, such as `users.create`. */
export function endpoints(): [name: string, endpoint: Endpoint][] {
  return Object.entries(contract).flatMap(([name, node]) =>
    isEndpoint(node)
      ? [[name, node] as [string, Endpoint]]
      : Object.entries(node).map(([verb, leaf]) => [`${name}.${verb}`, leaf] as [string, Endpoint]),
  )
}

/** The endpoint a request line belongs to, a literal path winning over one with parameters. */
export function findEndpoint(method: string, path: string): Endpoint | undefined {
  const candidates = endpoints()
    .map(([, candidate]) => candidate)
    .filter((candidate) => candidate.method === method && pathPattern(candidate.path).test(path))
  return candidates.find((candidate) => candidate.path === path) ?? candidates[0]
}

function pathPattern(template: string): RegExp {
  const literal = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replace(/\{[^}]+\}/g, '[^/]+')}$`)
}
