import { once } from 'node:events'
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecurely } from 'node:https'
import type { Socket } from 'node:net'

export class TunnelRefused extends Error {
  readonly status: number

  constructor(status: number) {
    super(`the proxy returned status ${status}`)
    this.status = status
  }
}

/**
 * Opens a connection to the service through a proxy; `ca` are the certificate authorities for a proxy with an https URL. Rejects
 * with TunnelRefused or with the connection error of the proxy.
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
