import { request as requestPlain } from 'node:http'
import { request as requestSecurely } from 'node:https'
import type { Socket } from 'node:net'

/** The proxy replied but did not open a connection. */
export class TunnelRefused extends Error {
  readonly status: number

  constructor(status: number) {
    super(`the proxy returned status ${status}`)
    this.status = status
  }
}

export interface TunnelOptions {
  signal: AbortSignal
  /** Certificate authorities for a proxy with an https URL. */
  ca?: string[] | undefined
}

/** Opens a connection to the service through a proxy. Rejects with TunnelRefused or with the connection error of the proxy. */
export function openTunnel(service: URL, proxy: URL, { signal, ca }: TunnelOptions): Promise<Socket> {
  const path = `${service.hostname}:${service.port || 443}`
  const { username, password } = proxy
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString(
    'base64',
  )
  const isSecure = proxy.protocol === 'https:'
  const to = {
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port || (isSecure ? 443 : 80),
    method: 'CONNECT',
    path,
    headers: { host: path, ...(username && { 'proxy-authorization': `Basic ${login}` }) },
    signal,
    agent: false,
  }
  return new Promise((resolve, reject) => {
    const request = isSecure ? requestSecurely({ ...to, ca }) : requestPlain(to)
    request
      .on('connect', ({ statusCode = 0 }, socket: Socket) => {
        if (statusCode >= 200 && statusCode < 300) return resolve(socket)
        socket.destroy()
        reject(new TunnelRefused(statusCode))
      })
      .on('error', reject)
      .end()
  })
}
