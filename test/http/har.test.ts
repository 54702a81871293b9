import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import draft6 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' }
import harSchema from 'har-schema'
import { describe, expect, test } from 'vitest'
import { harObserver, openHarFile } from '../../src/http/har.ts'
import type { Attempt, Observer, WireReply, WireRequest } from '../../src/http/wire.ts'
import { temporaryFolder } from '../helpers/folder.ts'
import { close, cutReply, reply, type Script, serve } from '../helpers/hostile-server.ts'
import { testApi, testKey } from './client.ts'

const schemas = new Ajv({ strict: false, validateFormats: false }).addMetaSchema(draft6)
for (const schema of Object.values(harSchema)) schemas.addSchema(schema)

const token = `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${Buffer.from('{"exp":1}').toString('base64url')}.c2lnbmF0dXJl`

async function record(script: Script, act: (api: ReturnType<typeof testApi>) => Promise<unknown>) {
  const { url } = await serve(script)
  const path = join(temporaryFolder(), 'out.har')
  const file = openHarFile(path, (text) => expect.unreachable(text))
  const observer = harObserver(file.add, Date.now)
  await act(testApi(url, { observers: [observer], retries: 0 })).catch(() => undefined)
  file.close()
  const text = readFileSync(path, 'utf8')
  const har = JSON.parse(text)
  schemas.validate('har.json#', har)
  expect(schemas.errors).toBeNull()
  return { url, text, entries: har.log.entries }
}

test('records a complete exchange with the key masked', async () => {
  const { url, text, entries } = await record(
    () => reply(200, { user_id: '1', customer: 'Acme' }),
    (api) => api.users.get({ user: { external_user_id: '4711' } }),
  )
  expect(entries).toMatchObject([
    {
      request: {
        method: 'GET',
        url: `${url}/v2/users?external_user_id=4711`,
        queryString: [{ name: 'external_user_id', value: '4711' }],
      },
      response: {
        status: 200,
        content: { mimeType: 'application/json', text: '{"user_id":"1","customer":"Acme"}' },
      },
    },
  ])
  expect(entries[0].request.headers).toContainEqual({ name: 'x-api-key', value: '***' })
  expect(text).not.toContain(testKey)
})

test('masks a token in its reply, in requests and in later replies', async () => {
  const opaque = 'opaque-token-without-any-dots'
  const { text, entries } = await record(
    (request) =>
      request.method === 'POST'
        ? reply(201, { token: opaque })
        : reply(
            200,
            { echo: `you sent ${opaque}`, nested: [{ deep: opaque }], [opaque]: 1 },
            { 'x-echo': opaque },
          ),
    async (api) => {
      const created = await api.users.authenticate({ user: { external_user_id: '4711' } })
      await api.withToken(created.token).wellbeing()
    },
  )
  expect(entries).toHaveLength(2)
  expect(text).not.toContain(opaque)
})

test('masks a link that contains a credential completely', async () => {
  const link = `https://scan-17.service.test/start/abc?lang=en`
  const { text, entries } = await record(
    () => reply(200, JSON.stringify(link)),
    (api) => api.scanUrl({ user: { external_user_id: '4711' } }),
  )
  expect(entries[0].response.content.text).toBe('"***"')
  expect(text).not.toContain('scan-17')
})

test.each([
  ['a web token anywhere in a text', { note: `see ${token}, please` }],
  ['a token in a query', { action_url: `https://a.test/?x=1&action_token=s3cretvalue` }],
  ['a signature in a query', { image_url: 'https://cdn.test/i.png?X-Amz-Signature=s3cretvalue&y=2' }],
  ['a password in a URL', { url: 'https://me:s3cretvalue@a.test/' }],
  ['a field with a telling name', { config: { api_key: 's3cretvalue', accessToken: ['s3cretvalue'] } }],
  ['the key, escaped', { echo: encodeURIComponent(testKey) }],
])('masks %s in a reply', async (_, body) => {
  const { text } = await record(
    () => reply(200, body, { 'set-cookie': 'session=s3cretvalue', location: '/x?token=s3cretvalue' }),
    (api) => api.users.get({ user: { external_user_id: '4711' } }),
  )
  for (const secret of ['s3cretvalue', token, testKey, encodeURIComponent(testKey)])
    expect(text).not.toContain(secret)
})

test('keeps all digits of a large integer', async () => {
  const { entries } = await record(
    () => reply(200, '{"n":12345678901234567890}'),
    (api) => api.users.get({ user: { external_user_id: '4711' } }),
  )
  expect(entries[0].response.content.text).toBe('{"n":12345678901234567890}')
})

test('records an image without its body', async () => {
  const { entries } = await record(
    () => reply(200, 'PNG', { 'content-type': 'image/png' }),
    (api) => api.ceLabel(),
  )
  const content = { size: 3, mimeType: 'image/png', comment: 'image omitted' }
  expect(entries[0].response.content).toEqual(content)
})

test('records interrupted bodies and connections without a reply', async () => {
  const { entries } = await record(
    (request) => (request.index === 0 ? [cutReply(200, '{"a":"long enough"}', 8), close()] : close()),
    async (api) => {
      await api.questions.all().catch(() => undefined)
      await api.questions.all()
    },
  )
  expect(entries).toMatchObject([
    { response: { status: 200, comment: expect.stringContaining('interrupted') } },
    { response: { status: 0, comment: expect.stringContaining('closed') } },
  ])
})

describe('an entry', () => {
  const request: WireRequest = {
    method: 'POST',
    origin: 'https://api.test',
    path: `/v2/users?note=a%20b&echo=${encodeURIComponent(testKey)}`,
    route: '/v2/users',
    headers: { 'x-api-key': testKey },
    body: JSON.stringify({ name: 'Zoë', echo: testKey }),
  }
  const { body: _, ...bodiless } = request

  /** The entry of one attempt that starts at 1000 ms and ends at 1250 ms. */
  function entryOf(end: (observer: Observer, attempt: Attempt) => void, number = 1) {
    const entries: object[] = []
    const observer = harObserver(
      (entry) => entries.push(entry),
      () => 1_250,
    )
    end(observer, { number, startedAt: 1_000 })
    expect(entries).toHaveLength(1)
    return entries[0]
  }

  function contentOf(one: WireRequest, reply: Partial<WireReply>) {
    const whole: WireReply = {
      status: 200,
      headers: {},
      body: Buffer.from('{"n":1}'),
      durationMs: 7,
      ...reply,
    }
    const entry = entryOf((observer, attempt) => {
      observer.request?.(one, attempt)
      observer.reply?.(one, whole, attempt)
    })
    return (entry as { response: { content: object } }).response.content
  }

  test('the token of a request in flight is masked in the reply to another request', () => {
    const entries: object[] = []
    const observer = harObserver(
      (entry) => entries.push(entry),
      () => 1_250,
    )
    const opaque = 'opaque-token-without-any-dots'
    const attempt = { number: 1, startedAt: 1_000 }
    const body = Buffer.from(JSON.stringify({ echo: opaque }))
    observer.request?.({ ...bodiless, headers: { authorization: `Token ${opaque}` } }, attempt)
    observer.request?.(request, attempt)
    observer.reply?.(request, { status: 200, headers: {}, body, durationMs: 7 }, attempt)
    expect(entries).toHaveLength(1)
    expect(JSON.stringify(entries)).not.toContain(opaque)
  })

  test('the HAR entry of a failure has its start and duration, without the key', () => {
    const error = new Error(`lost with ${testKey}`)
    const end = (observer: Observer, attempt: Attempt) => {
      observer.request?.(request, attempt)
      observer.failure?.(request, error, attempt)
    }
    expect(entryOf(end, 2)).toMatchObject({
      startedDateTime: '1970-01-01T00:00:01.000Z',
      time: 250,
      timings: { send: 0, wait: 250, receive: 0 },
      comment: 'attempt 2',
      request: {
        queryString: [
          { name: 'note', value: 'a b' },
          { name: 'echo', value: '***' },
        ],
        postData: { mimeType: 'application/json', text: '{"name":"Zoë","echo":"***"}' },
        bodySize: Buffer.byteLength(request.body ?? ''),
      },
      response: { status: 0, comment: 'lost with ***' },
    })
  })

  test('the HAR entry of a request without a body has no post data', () => {
    const entry = entryOf((observer, attempt) => observer.failure?.(bodiless, new Error('lost'), attempt))
    expect(entry).toMatchObject({ request: { bodySize: 0 } })
    expect(entry).not.toHaveProperty('request.postData')
  })

  test('the HAR entry of a reply has the duration of the reply', () => {
    const reply = { status: 204, headers: {}, body: Buffer.alloc(0), durationMs: 7 }
    expect(entryOf((observer, attempt) => observer.reply?.(request, reply, attempt))).toMatchObject({
      time: 7,
    })
  })

  const secret = { ...request, secretReply: true }
  const cut = new Error('reset')
  test.each([
    ['a reply', request, {}, '{"n":1}'],
    ['a reply that is not JSON', request, { body: Buffer.from(`no ${testKey}`) }, 'no ***'],
    ['a part of a reply', request, { cut }, '{"n":1}'],
    ['a part of an encoded reply', request, { cut, headers: { 'content-encoding': 'gzip' } }, undefined],
    ['a whole encoded reply', request, { headers: { 'content-encoding': 'gzip' } }, '{"n":1}'],
    ['a secret', secret, {}, '{"n":"***"}'],
    ['a secret that is not JSON', secret, { body: Buffer.from('t0ken') }, ''],
    ['a part of a secret', secret, { cut }, undefined],
    ['an error in place of a secret', secret, { status: 400 }, '{"n":1}'],
    ['a redirect in place of a secret', secret, { status: 399 }, '{"n":"***"}'],
  ])('the HAR entry of %s contains no credential', (_, one, reply, text) => {
    expect(contentOf(one, reply)).toEqual({
      size: (reply as Partial<WireReply>).body?.length ?? 7,
      mimeType: '',
      ...(text !== undefined && { text }),
    })
  })
})
