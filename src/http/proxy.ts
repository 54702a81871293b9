import { isIPv6 } from 'node:net'
import { ConfigurationError } from '../base/errors.ts'
import type { Environment } from '../base/io.ts'
import { toUrl } from '../base/text/to-url.ts'
import { isLoopback } from './base-url.ts'

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
  const url = toUrl(full)
  if (url?.hostname && ['http:', 'https:'].includes(url.protocol) && isDecodable(url)) return url
  throw new ConfigurationError(`the proxy in ${variable} is not the URL of an HTTP or HTTPS proxy`, {
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
      const { name, onlyPort = port } = splitEntry(entry)
      return onlyPort === port && (host === name || host.endsWith(`.${name}`))
    })
}

/** The colons of an IPv6 address are no port, unless it stands in brackets. */
function splitEntry(entry: string): { name: string; onlyPort: string | undefined } {
  if (isIPv6(entry)) return { name: entry, onlyPort: undefined }
  const [, address, host = '', onlyPort] = /^(?:\[(.*)\]|(?:\*?\.)?([^:]*))(?::(\d+))?$/.exec(entry) ?? []
  return { name: address ?? host, onlyPort }
}
