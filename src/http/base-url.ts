import { ConfigurationError } from '../errors.ts'

const loopbackHosts = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/

export function isLoopback(url: URL): boolean {
  return loopbackHosts.test(url.hostname)
}

/**
 * Reads a base URL: HTTPS, or plain HTTP on this machine only. A path is kept, a trailing slash dropped.
 * Credentials, a query or a fragment are refused, because they would end up in logs or change every request.
 */
export function parseBaseUrl(text: string, source: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const problem = url === undefined ? 'it is not a URL' : problemOf(url)
  if (url === undefined || problem !== undefined) {
    throw new ConfigurationError(`the base URL from ${source} cannot be used: ${problem}`, {
      hint: 'Give an address such as https://api.example.com',
    })
  }
  url.pathname = url.pathname.replace(/\/+$/, '')
  return url
}

function problemOf(url: URL): string | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'it is neither https nor http'
  if (url.username !== '' || url.password !== '') return 'it holds a user name or password'
  if (url.search !== '' || url.hash !== '') return 'it holds a query or a fragment'
  if (url.protocol === 'http:' && !isLoopback(url)) {
    return 'plain http would send the key in the clear; only https is allowed outside this machine'
  }
  return undefined
}

/** The address of a path below the base URL. */
export function resolveUrl(base: URL, path: string): URL {
  const prefix = base.pathname === '/' ? '' : base.pathname
  return new URL(`${base.origin}${prefix}${path}`)
}
