import type { EndpointDefinition } from './endpoint.ts'
import { endpoints } from './index.ts'

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
