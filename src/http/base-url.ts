import { ConfigurationError, UsageError } from '../base/errors.ts'
import { hideKeysIn } from '../base/mask.ts'
import { toUrl } from '../base/text.ts'

export function isLoopback(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl)
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/** Checks a base URL, and removes a slash at the end. HTTP without TLS is allowed only for this machine (spec 1). */
export function parseBaseUrl(text: string, source: string): string {
  const problem = findProblem(text)
  if (problem === undefined) return withoutEnd(new URL(text))
  throw new ConfigurationError(`the base URL from ${source} ${problem}`, {
    hint: 'Use an HTTPS URL without a query, username, or password, such as https://api.example.com.',
  })
}

/** Parses the base URL in an option. The error does not quote the URL, because it may contain a password. */
export function baseUrlFlag(text: string): string {
  const problem = findProblem(text)
  if (problem === undefined) return withoutEnd(new URL(text))
  throw new UsageError(`the base URL ${problem} (example: https://api.example.com)`)
}

function withoutEnd({ origin, pathname }: URL): string {
  return origin + pathname.replace(/\/+$/, '')
}

function findProblem(text: string): string | undefined {
  const url = toUrl(text)
  // The URL parser replaces or removes these characters. Requests would then go to a URL that the user did not type.
  if (!url || /[\\\t\r\n]/.test(text.trim())) return 'is not a valid URL'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'is not an HTTPS URL'
  if (url.username || url.password) return 'contains a username or password'
  if (url.search || url.hash) return 'contains a query or fragment'
  if (hideKeysIn(url.pathname) !== url.pathname) return 'contains an API key or token'
  if (url.protocol === 'http:' && !isLoopback(url.href)) return 'uses plain HTTP instead of HTTPS'
  return undefined
}
