import { isLoopback } from '../base-url.ts'
import { ConfigurationError } from '../errors.ts'
import type { Environment } from '../io.ts'

/**
 * The proxy on the way to the service, from HTTPS_PROXY, HTTP_PROXY and NO_PROXY in either case, the lower one first as with curl;
 * undefined for a direct connection. This machine itself never needs one.
 */
export function findProxy(baseUrl: URL, env: Environment): URL | undefined {
  if (isLoopback(baseUrl.href)) return undefined
  const name = baseUrl.protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  const found = [name, name.toUpperCase()].find((variable) => env[variable])
  if (!found || isExempt(baseUrl, env['no_proxy'] || env['NO_PROXY'] || '')) return undefined
  return parseProxy(env[found] ?? '', found)
}

/** `proxy.example:3128` without a scheme is an HTTP proxy. The message never quotes the text, which may hold a password. */
function parseProxy(text: string, variable: string): URL {
  const full = text.includes('://') ? text : `http://${text}`
  const url = URL.canParse(full) ? new URL(full) : undefined
  if (url?.hostname && ['http:', 'https:', 'socks5:', 'socks:'].includes(url.protocol) && isDecodable(url))
    return url
  throw new ConfigurationError(`The proxy in ${variable} is not the URL of an HTTP, HTTPS or SOCKS5 proxy.`, {
    hint: `Write it like ${variable}=http://proxy.example.com:3128, special characters of a password percent-encoded.`,
  })
}

function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

/** An entry is a host, which covers all below it, with or without a leading dot or `*.`, and perhaps a port; `*` is every host. */
function isExempt(baseUrl: URL, noProxy: string): boolean {
  const port = baseUrl.port || (baseUrl.protocol === 'https:' ? '443' : '80')
  const host = baseUrl.hostname.toLowerCase().replace(/^\[|\]$/g, '')
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => {
      if (entry === '*') return true
      const [, name = '', onlyPort] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(unbracket(entry)) ?? []
      return (onlyPort ?? port) === port && (host === name || host.endsWith(`.${name}`))
    })
}

/** An IPv6 address holds colons, so that its port can only be told when it stands in brackets; those go without one here. */
function unbracket(entry: string): string {
  const address = /^\[(.+)\]$/.exec(entry)?.[1]
  return address ?? entry
}
