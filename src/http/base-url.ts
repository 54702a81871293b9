import { ConfigurationError, UsageError } from '../base/errors.ts'
import { toUrl } from '../base/text/to-url.ts'

/** Whether a host is this machine itself. */
export function isLoopback(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl)
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/**
 * Checks a base URL and takes the slash off its end. Plain HTTP is for this machine only (specification, section 1);
 * a user name, a query or a fragment has no meaning in it.
 */
export function parseBaseUrl(text: string, source: string): string {
  const problem = findProblem(text)
  if (problem === undefined) return withoutEnd(new URL(text))
  throw new ConfigurationError(`the base URL from ${source} ${problem}`, {
    hint: 'Give it like https://api.example.com, without a query or a password.',
  })
}

/** A base URL as the value of an option. It is not quoted, since it may hold a password. */
export function baseUrlFlag(text: string): string {
  const problem = findProblem(text)
  if (problem === undefined) return withoutEnd(new URL(text))
  throw new UsageError(`the address ${problem} (write https://api.example.com)`)
}

/** An empty query or fragment counts as none, and goes with the slash. */
function withoutEnd({ origin, pathname }: URL): string {
  return origin + pathname.replace(/\/+$/, '')
}

function findProblem(text: string): string | undefined {
  const url = toUrl(text)
  if (!url) return 'is not a URL'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'is not an HTTPS URL'
  if (url.username || url.password) return 'holds a user name or a password'
  if (url.search || url.hash) return 'holds a query or a fragment'
  if (url.protocol === 'http:' && !isLoopback(url.href)) return 'is plain HTTP, which the service refuses'
  return undefined
}
