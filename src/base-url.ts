import { ConfigurationError } from './errors.ts'

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
  const url = URL.canParse(text) ? new URL(text) : undefined
  const problem = findProblem(url)
  if (!url || problem) {
    throw new ConfigurationError(`The base URL from ${source} ${problem ?? 'is not a URL'}.`, {
      hint: 'Give it like https://api.example.com, without a query or a password.',
    })
  }
  return url.href.replace(/\/+$/, '')
}

function findProblem(url: URL | undefined): string | undefined {
  if (!url) return 'is not a URL'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'is not an HTTPS URL'
  if (url.username || url.password) return 'holds a user name or a password'
  if (url.search || url.hash) return 'holds a query or a fragment'
  if (url.protocol === 'http:' && !isLoopback(url.href)) return 'is plain HTTP, which the service refuses'
  return undefined
}
