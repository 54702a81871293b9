import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { NetworkError } from '../../src/base/errors.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { findProxy } from '../../src/http/proxy.ts'
import { type Authority, createAuthority, type Issued } from '../helpers/certificates.ts'
import { temporaryFolder } from '../helpers/folder.ts'
import { close, send, serve } from '../helpers/hostile-server.ts'
import { tunnelProxy } from '../helpers/proxy.ts'
import { countAttempts, testApi, testKey } from './client.ts'

let authority: Authority
let stranger: Authority

beforeAll(async () => {
  authority = await createAuthority('Test Authority')
  stranger = await createAuthority('Somebody In Between')
})

interface Service {
  port: number
  /** The API key of each request that arrived. */
  keys: unknown[]
}

async function secureService(issued: Issued, host = '127.0.0.1'): Promise<Service> {
  const service: Service = { port: 0, keys: [] }
  const server = createServer({ cert: issued.cert, key: issued.key }, (request, response) => {
    service.keys.push(request.headers['x-api-key'])
    response.setHeader('content-type', 'application/json')
    response.end('["height","weight"]')
  })
  await new Promise<void>((listening) => server.listen(0, host, listening))
  service.port = (server.address() as AddressInfo).port
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return service
}

function trusting(...authorities: Authority[]): Record<string, string> {
  const file = join(temporaryFolder(), 'authorities.pem')
  writeFileSync(file, authorities.map(({ cert }) => cert).join('\n'))
  return { SSL_CERT_FILE: file }
}

async function ask(url: string, env: Record<string, string>) {
  const proxy = findProxy(new URL(url), env)
  const dispatcher = createDispatcher({ origin: new URL(url).origin, env, proxy, connectTimeoutMs: 30_000 })
  onTestFinished(() => dispatcher.destroy())
  const attempts = countAttempts()
  const api = testApi(url, { dispatcher, proxy, perAttempt: [attempts.step] })
  const result = await api.questions.all().catch((error: unknown) => error)
  return { result, attempts: attempts.count() }
}

function failed({ result }: { result: unknown }): NetworkError {
  expect(result).toBeInstanceOf(NetworkError)
  return result as NetworkError
}

test('SSL_CERT_FILE adds a trusted authority', async () => {
  const { port, keys } = await secureService(await authority.issue(['localhost']))
  expect((await ask(`https://localhost:${port}`, trusting(authority))).result).toEqual(['height', 'weight'])
  expect(keys).toEqual([testKey])
})

test('SSL_CERT_FILE and NODE_EXTRA_CA_CERTS together add two trusted authorities', async () => {
  const { port } = await secureService(await authority.issue(['localhost']))
  const env = { ...trusting(stranger), NODE_EXTRA_CA_CERTS: trusting(authority)['SSL_CERT_FILE'] ?? '' }
  expect((await ask(`https://localhost:${port}`, env)).result).toEqual(['height', 'weight'])
})

test.each([
  ['that does not exist', undefined, 'cannot read'],
  ['without a certificate', 'hello', 'contains no PEM certificate'],
])(
  'if SSL_CERT_FILE names a file %s, a configuration error names the variable',
  async (_, content, message) => {
    const file = join(temporaryFolder(), 'ca.pem')
    if (content !== undefined) writeFileSync(file, content)
    const origin = 'https://api.test'
    const make = () => createDispatcher({ origin, env: { SSL_CERT_FILE: file }, connectTimeoutMs: 30_000 })
    expect(make).toThrow(expect.objectContaining({ code: 'configuration' }))
    expect(make).toThrow(new RegExp(`SSL_CERT_FILE.*${message}|${message}.*SSL_CERT_FILE|${message}`))
  },
)

test.each([
  ['from an unknown authority', () => stranger.issue(['localhost']), 'unknown authority'],
  ['that has expired', () => authority.issue(['localhost'], -1), 'has expired'],
  ['for another host', () => authority.issue(['other.example']), 'is for a different host'],
])('a certificate %s is rejected without a retry, and the error names the issuer', async (_, issue, what) => {
  const { port, keys } = await secureService(await issue())
  const answer = await ask(`https://localhost:${port}`, trusting(authority))
  const { message, notSent, exitCode } = failed(answer)
  expect(message).toContain(what)
  expect(message).toMatch(/issued by (Test Authority|Somebody In Between), valid until/)
  expect({ attempts: answer.attempts, keys, notSent, exitCode }).toEqual({
    attempts: 1,
    keys: [],
    notSent: true,
    exitCode: 9,
  })
})

test('the error for a port without TLS states that the TLS connection failed', async () => {
  const proxy = await tunnelProxy(1)
  expect(failed(await ask(`https://localhost:${proxy.port}`, {})).message).toMatch(
    /does not support TLS|TLS connection failed/,
  )
})

test.each([
  ['HTTPS_PROXY', ''],
  ['https_proxy', ''],
  ['HTTPS_PROXY', 'wor%6Cd:pa%40ss@'],
])(
  'the client uses the proxy from %s and sends the credentials "%s" only to the proxy',
  async (variable, credentials) => {
    const service = await secureService(await authority.issue(['service.test']))
    const proxy = await tunnelProxy(service.port)
    const env = { ...trusting(authority), [variable]: `http://${credentials}127.0.0.1:${proxy.port}` }
    expect((await ask('https://service.test', env)).result).toEqual(['height', 'weight'])
    expect(proxy.targets).toEqual(['service.test:443'])
    const sent = credentials === '' ? undefined : `Basic ${Buffer.from('world:pa@ss').toString('base64')}`
    expect(proxy.credentials).toEqual([sent])
    expect(service.keys).toEqual([testKey])
  },
)

test('the client asks the proxy for a tunnel to the port of the base URL', async () => {
  const service = await secureService(await authority.issue(['service.test']))
  const proxy = await tunnelProxy(service.port)
  const env = { ...trusting(authority), HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` }
  expect((await ask('https://service.test:8443', env)).result).toEqual(['height', 'weight'])
  expect(proxy.targets).toEqual(['service.test:8443'])
})

test('the error for an untrusted certificate behind a proxy names the issuer', async () => {
  const service = await secureService(await stranger.issue(['service.test']))
  const proxy = await tunnelProxy(service.port)
  const answer = await ask('https://service.test', {
    HTTPS_PROXY: `http://me:secret@127.0.0.1:${proxy.port}`,
  })
  expect(failed(answer).message).toContain('issued by Somebody In Between')
  expect(failed(answer).message).toContain(`through proxy 127.0.0.1:${proxy.port}`)
  expect(failed(answer).message).not.toContain('secret')
})

test.each([
  [407, 'username and password required', 1],
  [403, 'could not connect to the service (403)', 1],
  [502, 'could not connect to the service (502)', 3],
])(
  'the error for a proxy that returns %i states the cause without the password',
  async (status, message, attempts) => {
    const proxy = await tunnelProxy(1, status)
    const answer = await ask('https://service.test', {
      HTTPS_PROXY: `http://me:secret@127.0.0.1:${proxy.port}`,
    })
    expect(failed(answer).message).toContain(message)
    expect(failed(answer).message).toContain(`proxy 127.0.0.1:${proxy.port}`)
    expect(JSON.stringify([failed(answer).message, failed(answer).details.hint])).not.toContain('secret')
    expect(failed(answer).notSent).toBe(true)
    expect(answer.attempts).toBe(attempts)
  },
)

test('the error for an unreachable proxy names the proxy instead of the service', async () => {
  const answer = await ask('https://service.test', { HTTPS_PROXY: 'http://me:secret@127.0.0.1:1' })
  expect(failed(answer).message).toBe('proxy 127.0.0.1:1: connection refused')
  expect(answer.attempts).toBe(3)
})

test('the error for a proxy that does not use HTTP names the proxy', async () => {
  const proxy = await serve(() => [send('SSH-2.0-OpenSSH_9.6\r\n'), close()])
  const answer = await ask('https://service.test', { HTTPS_PROXY: proxy.url })
  expect(failed(answer).message).toBe(`proxy 127.0.0.1:${proxy.port}: the response is not valid HTTP`)
})

test('a request fails after the last attempt if the proxy closes the tunnel', async () => {
  const proxy = await tunnelProxy(1)
  const answer = await ask('https://service.test', { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` })
  expect(failed(answer).exitCode).toBe(9)
  expect(proxy.targets.length).toBeLessThan(20)
})
