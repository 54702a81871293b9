import { expect, test } from 'vitest'
import { maskText, maskValue } from '../../src/base/mask.ts'
import { contract } from '../../src/contract/index.ts'
import { detailLines, errorOf } from '../../src/http/error-response.ts'
import { maskHeaders, maskUrl, toCurl, trace } from '../../src/http/trace.ts'
import { secretsOf, type WireRequest, type WireResponse } from '../../src/http/wire.ts'
import fc from '../helpers/fast-check.ts'
import { holds } from '../helpers/property.ts'
import { fuzzRuns, fuzzTimeoutMs } from '../output/fuzz-runs.ts'

test.each([
  ['see https://a.test/?token=abc&x=1.', 'see https://a.test/?token=***&x=1.'],
  ['https://a.test/?x-api-key=abc', 'https://a.test/?x-api-key=***'],
  ['https://a.test/#access_token=abc', 'https://a.test/#access_token=***'],
  ['https://me:pw@a.test/', 'https://***@a.test/'],
  ['key k.1!, again k.1!', 'key ***, again ***'],
  ['lookup_key=height&key=1', 'lookup_key=height&key=1'],
  ['host name.example.com, version 1.2.3', 'host name.example.com, version 1.2.3'],
  ['k.1!', '***'],
  ['second-one', '***'],
  ['k%2E1! k.1%21 %6b%2e%31%21', '*** *** ***'],
  ['k%2E1? k.1%22', 'k%2E1? k.1%22'],
  ['a b/c, a%20b%2Fc', '***, ***'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjF9.c2ln', '***'],
  ['ewogICJhbGciOi.ewogICJleHAi.c2lnbmF0dXJl', '***'],
  ['at www.eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjF9', 'at www.***'],
  ['keyboard-layouts.configuration.json', 'keyboard-layouts.configuration.json'],
  ['eyewitness.reports-of-2026', '***'],
  ['eyewitnes.reports-of-20-2026', 'eyewitnes.reports-of-20-2026'],
  ['eyewitness.reports.of.2026', 'eyewitness.reports.of.2026'],
  ['eyewitness.reported.of.2026', '***'],
  ['an.abbreviated-eyewitness', 'an.abbreviated-eyewitness'],
  ['many-words-in-one.sentence-here', 'many-words-in-one.sentence-here'],
])('the client masks the secrets in "%s" as "%s"', (text, masked) => {
  expect(maskText(text, ['k.1!', 'second-one', 'a b/c'])).toBe(masked)
})

test('the client masks a secret inside a word and keeps a text without secrets', () => {
  expect(maskText('short', [])).toBe('short')
  expect(maskText('short', ['or'])).toBe('sh***t')
})

test.each([
  ['a number', 4711, 4711],
  ['a number that contains a secret', 1234567, '***'],
  ['a number that contains another secret', 9870, '***'],
  ['a large integer', 123n, 123n],
  ['a large integer that contains a secret', 88123456n, '***'],
  ['a boolean', true, true],
  ['null', null, null],
  ['an undefined value', undefined, undefined],
  ['a list', ['x', 123456], ['x', '***']],
  ['an object', { n: 123456, ok: 'yes' }, { n: '***', ok: 'yes' }],
  ['an object with a secret in a name', { 'my 123456': 1 }, { 'my ***': 1 }],
  [
    'an object in a field with the name token',
    { token: { value: 'v', count: 3, big: 5n, isOld: true, until: null, parts: ['a', { 'x 123456': 'b' }] } },
    {
      token: {
        value: '***',
        count: '***',
        big: '***',
        isOld: true,
        until: null,
        parts: ['***', { 'x ***': '***' }],
      },
    },
  ],
])('the client masks each value that contains a secret, and no other value, in %s', (_, value, masked) => {
  expect(maskValue(value, ['123456', '987'])).toEqual(masked)
})

test.each([
  'token',
  'accessToken',
  'jwt',
  'client_secret',
  'password',
  'passwd',
  'X-Amz-Signature',
  'credential',
  'credentials',
  'Authorization',
  'api_key',
  'api-key',
  'apiKey',
  'accesskey',
  'sig',
  'x-auth',
  'auth',
  'my_session',
])('the client masks the value of a field named %s', (name) => {
  expect(maskValue({ [name]: 'v' }, [])).toEqual({ [name]: '***' })
  expect(maskText(`https://a.test/?${name}=v`, [])).toBe(`https://a.test/?${name}=***`)
})

test.each(['key', 'lookup_key', 'tokens_used', 'design', 'author', 'obsession'])(
  'the client does not mask the value of a field named %s',
  (name) => {
    expect(maskValue({ [name]: 'v' }, [])).toEqual({ [name]: 'v' })
  },
)

test('the client masks credential headers, except the authorization scheme of a token', () => {
  const headers = {
    'X-Api-Key': 'k',
    authorization: 'Token t',
    'proxy-authorization': 'Basic Token ',
    cookie: 'a=b',
    'Set-Cookie': 'a=b',
    accept: 'application/json',
    'x-echo': 'you sent k1k1',
  }
  expect(maskHeaders(headers, ['k1k1'])).toEqual({
    'X-Api-Key': '***',
    authorization: 'Token ***',
    'proxy-authorization': '***',
    cookie: '***',
    'Set-Cookie': '***',
    accept: 'application/json',
    'x-echo': 'you sent ***',
  })
  expect(maskHeaders({ accept: 'you sent k1k1' })).toEqual({ accept: 'you sent k1k1' })
})

test.each([
  [{ 'x-api-key': 'k' }, ['k']],
  [{ authorization: 'Token t' }, ['t']],
  [{ authorization: 'Token Token t' }, ['Token t']],
  [{ authorization: 'other Token t' }, ['other Token t']],
  [{ 'x-api-key': '', authorization: 'Token ' }, []],
  [{ 'x-api-key': 'k', authorization: 'Token t' }, ['k', 't']],
  [{}, []],
])('the secrets in the request headers %o are %o', (headers, secrets) => {
  expect(secretsOf({ headers })).toEqual(secrets)
})

test.each([
  ['/v2/users?external_user_id=4711&count=3', '/v2/users', '/v2/users?external_user_id=***&count=***'],
  ['/v2/users/4711', '/v2/users/{user_id}', '/v2/users/***'],
  ['/at/tenant/v2/users/', '/v2/users/', '/at/tenant/v2/users/'],
  ['/at/tenant/v9/4711', '/{unknown}/{unknown}', '/at/tenant/***/***'],
])('the trace hides IDs and query values in the URL %s with the route %s', (path, route, shown) => {
  expect(maskUrl({ origin: 'https://api.test', path, route })).toBe(`https://api.test${shown}`)
})

/** A key or token with the characters that the service uses: letters, digits, and `! - . _ @`. */
const secret = fc.string({
  unit: fc.constantFrom(...'abcXYZ019!-._@'),
  minLength: 12,
  maxLength: 40,
})
const surroundings = fc.string({
  unit: fc.oneof(fc.constantFrom(...' "\'\\&=?/<>{}[]:;,%\n*.-_'), fc.string({ minLength: 1, maxLength: 3 })),
})
const strictlyEncoded = (value: string) => value.replace(/[!@]/g, (one) => (one === '!' ? '%21' : '%40'))
/** Text that contains the secret, unchanged or percent-encoded. */
const leaking = (value: string) =>
  fc
    .tuple(
      surroundings,
      fc.constantFrom(value, encodeURIComponent(value), strictlyEncoded(value)),
      surroundings,
    )
    .map((parts) => parts.join(''))
const leakingJson = (value: string) =>
  fc
    .tuple(fc.jsonValue(), leaking(value), leaking(value), fc.jsonValue())
    .map(([before, inside, name, after]) => ({ before, list: [after, inside, { [name]: inside }] }))

function requestWith(value: string, body: string | undefined): WireRequest {
  return {
    method: 'POST',
    origin: 'https://api.test',
    path: `/v2/x?echo=${encodeURIComponent(value)}`,
    route: '/v2/x',
    headers: { 'x-api-key': value, accept: 'application/json' },
    ...(body !== undefined && { body }),
  }
}

function expectClean(text: string, value: string): void {
  expect(text).not.toContain(strictlyEncoded(value))
  expect(text).not.toContain(value)
  expect(text).not.toContain(JSON.stringify(value).slice(1, -1))
}

holds(
  'the client masks a secret at random positions of a text or a JSON value',
  fc.property(
    secret.chain((value) => fc.tuple(fc.constant(value), leaking(value), leakingJson(value))),
    ([value, text, json]) => {
      expectClean(maskText(text, [value]), value)
      expectClean(JSON.stringify(maskValue(json, [value])), value)
    },
  ),
)

holds('the client masks every JSON Web Token in a text and every password in a URL', () => {
  const part = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_'), minLength: 12, maxLength: 30 })
  return fc.property(part, part, part, surroundings, (head, payload, signature, before) => {
    const token = `eyJ${head}.${payload}.${signature}`
    for (const text of [`${before} ${token}`, `https://a.test/${token}?x=1`, `x=${token}&y`]) {
      expect(maskText(text, [])).not.toContain(payload)
    }
    expect(maskText(`${before} https://me:${payload}@a.test/?sig=${signature}`, [])).not.toContain(payload)
  })
})

test(
  'for any response, no trace, error, or curl command contains the API key',
  () => {
    const property = fc.asyncProperty(
      secret.chain((value) =>
        fc.record({
          value: fc.constant(value),
          sent: leakingJson(value),
          received: fc.oneof(
            leakingJson(value).map((json) => JSON.stringify(json)),
            leaking(value),
          ),
          header: leaking(value),
          status: fc.constantFrom(200, 201, 400, 401, 404, 422, 500),
          type: fc.constantFrom('application/json', 'text/html', ''),
          secretReply: fc.boolean(),
        }),
      ),
      async ({ value, sent, received, header, status, type, secretReply }) => {
        const request = { ...requestWith(value, JSON.stringify(sent)), secretReply }
        const reply: WireResponse = {
          status,
          headers: { 'content-type': type, 'x-request-id': header, location: header },
          body: Buffer.from(received),
          durationMs: 1,
        }
        const written: string[] = []
        const endpoint = contract.users.get
        const call = { endpoint, input: {}, request, credential: undefined, attempt: 1 }
        await trace((line) => written.push(line))(call, async () => reply)
        written.push(errorOf(request, reply, 0)?.message ?? '')
        // The body is not masked, because the curl command must contain it unchanged. The credential is only in the headers.
        const { body: _, ...bodiless } = request
        written.push(toCurl({ ...bodiless, path: '/' }))
        for (const text of written) expectClean(text, value)
      },
    )
    return fc.assert(property, { numRuns: fuzzRuns })
  },
  fuzzTimeoutMs,
)

holds(
  'the error text of a response with a random body is a list of lines',
  fc.property(
    fc.oneof(
      fc.uint8Array(),
      fc.json().map((text) => Buffer.from(text)),
      fc.anything().map((detail) => Buffer.from(JSON.stringify({ detail }) ?? '')),
    ),
    (body) => {
      const lines = detailLines({ status: 400, headers: {}, body, durationMs: 0 })
      expect(lines.every((line) => typeof line === 'string')).toBe(true)
    },
  ),
)

/** The words of a command line as in a POSIX shell. Supports only the kinds of quotation marks that `toCurl` writes. */
function shellWords(line: string, variables: Record<string, string>): string[] {
  const words: string[] = []
  const token = /'([^']*)'|"([^"]*)"|\\(.)|([^\s'"\\]+)|(\s+)/gs
  let word: string | undefined
  for (const [, single, double, escaped, bare, space] of line.matchAll(token)) {
    if (space !== undefined) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else {
      const expanded = double?.replace(/\$(\w+)/g, (_, name: string) => variables[name] ?? '')
      word = (word ?? '') + (single ?? expanded ?? escaped ?? bare ?? '')
    }
  }
  return word === undefined ? words : [...words, word]
}

holds(
  'the printed curl command passes random headers, bodies, and URLs to curl unchanged',
  fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary-ascii' }), (id, note) => {
    const body = JSON.stringify({ id, note })
    const request: WireRequest = {
      method: 'POST',
      origin: 'https://api.test',
      path: `/v2/users?external_user_id=${encodeURIComponent(id.toWellFormed())}`,
      route: '/v2/users',
      headers: { 'x-api-key': 'k'.repeat(40), 'x-note': 'it’s $HOME' },
      body,
    }
    const words = shellWords(toCurl(request), { FACESCAN_API_KEY: 'k'.repeat(40) })
    expect(words).toContain(body)
    expect(words).toContain('x-note: it’s $HOME')
    expect(words).toContain(`x-api-key: ${'k'.repeat(40)}`)
    expect(words.at(-1)).toBe(request.origin + request.path)
  }),
)
