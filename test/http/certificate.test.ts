import { createServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { createSecureContext } from 'node:tls'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { describeCertificate } from '../../src/http/certificate.ts'
import { openTunnel, TunnelRefused } from '../../src/http/proxy.ts'
import { type Authority, createAuthority, type Issued } from '../helpers/certificates.ts'
import { tunnelProxy } from '../helpers/proxy.ts'

let authority: Authority
let issued: Issued
beforeAll(async () => {
  authority = await createAuthority('Test Authority')
  issued = await authority.issue(['service.test', '127.0.0.1'])
})

const never = new AbortController().signal

/** A TLS server that records the server names (SNI) from clients. */
async function secureServer(host: string, act?: (client: Duplex) => void) {
  const names: string[] = []
  const server = createServer({
    ...issued,
    SNICallback: (name, done) => {
      names.push(name)
      done(null, createSecureContext(issued))
    },
  })
  if (act) server.on('connect', (_, client) => act(client))
  const sockets = new Set<Duplex>()
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((listening) => server.listen(0, host, listening))
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return { port: (server.address() as AddressInfo).port, names }
}

test.each([
  ['localhost', 'localhost', ['localhost']],
  ['127.0.0.1', '127.0.0.1', []],
  ['[::1]', '::1', []],
])(
  'the client describes the certificate of %s, and sends no TLS server name for an IP address',
  async (name, host, expected) => {
    const { port, names } = await secureServer(host)
    expect(await describeCertificate(new URL(`https://${name}:${port}`), undefined, never)).toMatch(
      /^The certificate is for service\.test, 127\.0\.0\.1, issued by Test Authority, valid until \w+ .*\.$/,
    )
    expect(names).toEqual(expected)
  },
)

test('the client describes the certificate of a host even if the host name starts or ends with digits', async () => {
  const { port, names } = await secureServer('127.0.0.1')
  const proxy = await tunnelProxy(port)
  const through = new URL(`http://127.0.0.1:${proxy.port}`)
  for (const host of ['1a.service.test', 'service.test1a2', 'a1'])
    expect(await describeCertificate(new URL(`https://${host}`), through, never)).toBeDefined()
  expect(names).toEqual(['1a.service.test', 'service.test1a2', 'a1'])
})

test('the client returns no description of a certificate if the host has no TLS or cannot be reached', async () => {
  const server = createTcpServer((socket) => socket.resume().end('hello'))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`)
  expect(await describeCertificate(url, undefined, never)).toBeUndefined()
  await new Promise((closed) => server.close(closed))
  expect(await describeCertificate(url, undefined, never)).toBeUndefined()
})

test('if a host does not respond, the check of its certificate ends when the command stops', async () => {
  const stop = new AbortController()
  const server = createTcpServer(() => stop.abort())
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const url = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`)
  expect(await describeCertificate(url, undefined, stop.signal)).toBeUndefined()
})

test('the client accepts a proxy certificate only from a trusted authority', async () => {
  const { port } = await secureServer('127.0.0.1', (client) => client.write('HTTP/1.1 200 Go\r\n\r\n'))
  const proxy = new URL(`https://127.0.0.1:${port}`)
  const service = new URL('https://service.test')
  const socket = await openTunnel(service, proxy, { signal: never, ca: [authority.cert] })
  socket.destroy()
  await expect(openTunnel(service, proxy, { signal: never })).rejects.toThrow(/certificate/)
})

test.each([300, 407, 503])(
  'if a proxy returns status %i instead of opening a tunnel, the error contains the status',
  async (status) => {
    const { port } = await tunnelProxy(1, status)
    const opening = openTunnel(new URL('https://service.test:8443'), new URL(`http://127.0.0.1:${port}`), {
      signal: never,
    })
    await expect(opening).rejects.toEqual(new TunnelRefused(status))
    await expect(opening).rejects.toMatchObject({ status })
  },
)
