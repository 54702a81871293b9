import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { useSandbox } from './fixture.ts'

const lines: string[] = []
const fixture = useSandbox({ log: (line) => lines.push(line) })
const { call, createUser } = fixture

// spec 7:3
it.each([
  ['GET', '/'],
  ['GET', '/v2'],
  ['GET', '/v2/users/'],
  ['POST', '/v2/users/'],
  ['PATCH', '/v2/users'],
  ['GET', '/v2/face-scans'],
  ['GET', '/v2/metrics/'],
  ['GET', '/v3/users'],
  ['GET', '/v2/%2e%2e/users'],
])('the sandbox returns 404 for %s %s', async (method, path) => {
  const reply = await call(method, path)
  expect([reply.status, reply.body]).toEqual([404, { detail: 'endpoint not found' }])
})

// spec 7:2
it.each([
  ['nothing', ''],
  ['a truncated object', '{"external_user_id":'],
  ['plain text', 'hello'],
])('the sandbox returns 422 for a request body with %s', async (_, body) => {
  const reply = await call('POST', '/v2/users', { body })
  expect(reply.status).toBe(422)
  expect(reply.body.detail).toEqual([
    { loc: ['body'], msg: 'the body is not valid JSON', type: 'value_error.jsondecode' },
  ])
})

// spec 1:1, 4:1
it('the sandbox refuses a request body without a JSON content type', async () => {
  const headers = { 'content-type': 'text/plain' }
  const reply = await call('POST', '/v2/users', { body: { external_user_id: 'plain' }, headers })
  expect([reply.status, reply.body.detail[0].loc]).toEqual([422, ['header', 'content-type']])
  const charset = { 'content-type': 'application/json; charset=utf-8' }
  const accepted = await call('POST', '/v2/users', { body: { external_user_id: 'utf-8' }, headers: charset })
  expect(accepted.status).toBe(201)
})

it('the sandbox refuses a field with the name "constructor" in a body, like any unknown field', async () => {
  const body = '{"external_user_id":"proto","__proto__":{"sex":"M"},"constructor":1}'
  const reply = await call('POST', '/v2/users', { body })
  expect(reply.status).toBe(422)
  expect(reply.body.detail.map(({ loc }: { loc: string[] }) => loc.at(-1))).toContain('constructor')
})

it.each(['constructor', '__proto__', 'toString'])(
  'the sandbox ignores the unknown parameter %s in a query',
  async (name) => {
    const { externalUserId } = await createUser()
    const reply = await call('GET', `/v2/face-scans/?external_user_id=${externalUserId}&${name}=1`)
    expect([reply.status, reply.body]).toEqual([200, []])
  },
)

// spec 7:1
it('the sandbox returns 413 for a body over one mebibyte and keeps the connection usable', async () => {
  const body = { external_user_id: 'x'.repeat(1024 * 1024) }
  const reply = await call('POST', '/v2/users', { body })
  expect([reply.status, reply.body.detail]).toEqual([413, expect.stringContaining('1048576 bytes')])
  expect((await call('GET', '/v2/questions/all')).status).toBe(200)
})

it('the sandbox stops reading a request body that never ends', async () => {
  const { hostname, port } = new URL(fixture.sandbox.url)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.on('data', (data) => {
    received += data
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', () => undefined)
  const { key } = fixture.sandbox.keys.development
  socket.write(
    `POST /v2/users HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
  )
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  const pour = setInterval(() => socket.writable && socket.write(chunk), 1)
  await closed
  clearInterval(pour)
  expect(received).toMatch(/^HTTP\/1\.1 413 /)
})

it('the sandbox logs status 400 if a client disconnects while it sends a request body', async () => {
  const { hostname, port } = new URL(fixture.sandbox.url)
  const { key } = fixture.sandbox.keys.development
  lines.length = 0
  const socket = connect(Number(port), hostname)
  socket.write(
    `POST /v2/users HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{`,
  )
  socket.end()
  await expect.poll(() => lines).toHaveLength(1)
  expect(lines).toEqual([expect.stringMatching(/^POST \/v2\/users 400 /)])
})

it('the sandbox adds a unique request ID to each response and forbids caching', async () => {
  const [first, second] = [await call('GET', '/v2/questions/all'), await call('GET', '/nowhere')]
  expect(first.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(first.headers.get('x-request-id')).not.toBe(second.headers.get('x-request-id'))
  expect(first.headers.get('cache-control')).toBe('no-store')
})

it('the sandbox logs one line per request without user IDs, keys, and query values', async () => {
  const { externalUserId, userId } = await createUser()
  lines.length = 0
  await call('PUT', `/v2/users/${userId}`, { body: { sex: 'M' } })
  await call('GET', '/v2/metrics', { query: { external_user_id: externalUserId } })
  await call('GET', `/v9/${userId}`)
  await call('GET', '/v2/face-scans/latest', { query: { external_user_id: externalUserId } })
  expect(lines.map((line) => line.replace(/ [\d.]+ ms$/, ''))).toEqual([
    'PUT /v2/users/{user_id} 200',
    'GET /v2/metrics 204',
    'GET (no such endpoint) 404',
    'GET /v2/face-scans/latest 200',
  ])
})

// spec 7:1
it('the sandbox returns only "internal error" for a defect of the sandbox', async () => {
  fixture.store.exec('alter table answer rename to hidden')
  const { externalUserId } = await createUser()
  const reply = await call('GET', '/v2/questions/answered', { query: { external_user_id: externalUserId } })
  fixture.store.exec('alter table hidden rename to answer')
  expect([reply.status, reply.body]).toEqual([500, { detail: 'internal error' }])
  expect(lines.some((line) => line.includes('no such table'))).toBe(true)
})
