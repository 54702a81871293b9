import { type Endpoint, isEndpoint } from './endpoint.ts'
import { outline } from './outline.ts'

/** The endpoint a request line belongs to, a literal path winning over one with parameters. */
export function findEndpoint(method: string, path: string): Endpoint | undefined {
  const candidates = Object.values(outline)
    .flatMap((node): Endpoint[] => (isEndpoint(node) ? [node] : Object.values(node)))
    .filter((candidate) => candidate.method === method && pathPattern(candidate.path).test(path))
  return candidates.find((candidate) => candidate.path === path) ?? candidates[0]
}

function pathPattern(template: string): RegExp {
  const literal = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replace(/\{[^}]+\}/g, '[^/]+')}$`)
}
