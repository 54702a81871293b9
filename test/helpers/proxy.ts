import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface TunnelProxy {
  port: number
  /** Requested targets, such as `service.test:443`. */
  targets: string[]
  /** Proxy-Authorization headers of the requests. */
  credentials: (string | undefined)[]
}

/** An HTTP proxy. It connects every tunnel to one local port, or rejects every tunnel with `status`. */
export async function tunnelProxy(toPort: number, status = 200): Promise<TunnelProxy> {
  const proxy: TunnelProxy = { port: 0, targets: [], credentials: [] }
  const sockets = new Set<Socket>()
  const server = createServer().on('connect', (request, client: Socket) => {
    sockets.add(client)
    proxy.targets.push(request.url ?? '')
    proxy.credentials.push(request.headers['proxy-authorization'])
    client.on('error', () => undefined)
    if (status !== 200) return client.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\n\r\n`)
    const service = connect(toPort, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connected\r\n\r\n')
      client.pipe(service).pipe(client)
    })
    sockets.add(service)
    return service.on('error', () => client.destroy())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  proxy.port = (server.address() as AddressInfo).port
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return proxy
}
