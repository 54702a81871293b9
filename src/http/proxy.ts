import { once } from 'node:events'
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { isIPv6, type Socket } from 'node:net'
import { ConfigurationError } from '../base/errors.ts'
import { orUndefined } from '../base/functions.ts'
import type { Environment } from '../base/io.ts'
import { isShowable, toUrl } from '../base/text.ts'
import { isLoopback } from './base-url.ts'

/**
 * The proxy for the service, from HTTPS_PROXY, HTTP_PROXY, and NO_PROXY. Lowercase names take precedence, as in curl. Undefined if no
 * proxy is set, NO_PROXY contains the host, or the service runs on this machine.
 */
export function findProxy(baseUrl: URL, env: Environment): URL | undefined {
  if (isLoopback(baseUrl.href)) return undefined
  const name = baseUrl.protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  const found = [name, name.toUpperCase()].find((variable) => env[variable])
  if (!found || isExempt(baseUrl, env['no_proxy'] || env['NO_PROXY'] || '')) return undefined
  return parseProxy(env[found] ?? '', found)
}

/**
 * Parses a proxy URL. A text without a scheme, such as `proxy.example:3128`, is an HTTP proxy. Errors do not quote the text, because it
 * may contain a password.
 */
function parseProxy(text: string, variable: string): URL {
  const full = text.includes('://') ? text : `http://${text}`
  const url = toUrl(full)
  if (url?.hostname && ['http:', 'https:'].includes(url.protocol) && isDecodable(url)) return url
  throw new ConfigurationError(`${variable} is not a valid HTTP or HTTPS proxy URL`, {
    hint: `Example: ${variable}=http://proxy.example.com:3128 (percent-encode special characters in a password)`,
  })
}

function isDecodable({ username, password }: URL): boolean {
  return orUndefined(() => decodeURIComponent(username + password)) !== undefined
}

/**
 * Whether NO_PROXY contains the host, so that no proxy is used. An entry is a host with an optional port. It also matches all subdomains. A
 * leading dot or `*.` is ignored. `*` matches every host.
 */
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

/** A host name in which no part is long enough to be a key, or an IPv6 address. A port can follow. */
const usualHost = /^(?:(?:[a-z\d-]{1,32}\.)+[a-z]{2,}|\[[\da-f:.]+\])(?::\d+)?$/i

/** The host of a proxy, or an entry of NO_PROXY, as text for people. A text that may be a key or contain a password is hidden. */
export function shownHost(host: string): string {
  const isKnown = usualHost.test(host) || (isShowable(host.replace(/^\*/, '')) && !host.includes('@'))
  return isKnown ? host : '(hidden: possible key or password)'
}

/** Splits an entry of NO_PROXY into host and port. In an IPv6 address without brackets, the last colon does not start a port. */
function splitEntry(entry: string): { name: string; onlyPort: string | undefined } {
  if (isIPv6(entry)) return { name: entry, onlyPort: undefined }
  const [, address, host = '', onlyPort] = /^(?:\[(.*)\]|(?:\*?\.)?([^:]*))(?::(\d+))?$/.exec(entry) ?? []
  return { name: address ?? host, onlyPort }
}

export class TunnelRefused extends Error {
  readonly status: number

  constructor(status: number) {
    super(`the proxy returned status ${status}`)
    this.status = status
  }
}

/**
 * Opens a connection to the service through a proxy. `ca` contains the certificate authorities for an https proxy. Rejects with
 * TunnelRefused, or with the error of the connection to the proxy.
 */
export async function openTunnel(
  service: URL,
  proxy: URL,
  { signal, ca }: { signal: AbortSignal; ca?: string[] | undefined },
): Promise<Socket> {
  const path = `${service.hostname}:${service.port || 443}`
  const { username, password } = proxy
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  const isSecure = proxy.protocol === 'https:'
  const to = {
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port || (isSecure ? 443 : 80),
    method: 'CONNECT',
    path,
    headers: { host: path, ...(username && { 'proxy-authorization': `Basic ${login.toString('base64')}` }) },
    signal,
    agent: false,
  }
  const request = (isSecure ? requestSecurely({ ...to, ca }) : requestPlain(to)).end()
  const [{ statusCode = 0 }, socket] = (await once(request, 'connect')) as [IncomingMessage, Socket]
  if (statusCode >= 200 && statusCode < 300) return socket
  socket.destroy()
  throw new TunnelRefused(statusCode)
}
