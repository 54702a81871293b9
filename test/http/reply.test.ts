import { describe, expect, test } from 'vitest'
import type { FacescanError } from '../../src/base/errors.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { contract } from '../../src/contract/index.ts'
import { checkBody } from '../../src/http/body-check.ts'
import { detailLines, errorOf } from '../../src/http/error-response.ts'
import type { WireRequest, WireResponse } from '../../src/http/wire.ts'
import { renderHints } from '../../src/output/hint.ts'
import { reply, serve } from '../helpers/hostile-server.ts'
import { testApi } from './client.ts'

const request: WireRequest = {
  method: 'GET',
  origin: 'https://api.test',
  path: '/v2/users',
  route: '/v2/users',
  headers: { 'x-api-key': 'k.1!k.1!k.1!' },
}
const noon = Date.UTC(2026, 2, 4, 12)

function replyOf(status: number, body: unknown = '', headers: Record<string, string> = {}): WireResponse {
  const bytes = body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : json(body))
  return { status, headers, body: bytes, durationMs: 1 }
}
const json = (value: unknown) => JSON.stringify(value)
const failure = (...parts: Parameters<typeof replyOf>) => errorOf(request, replyOf(...parts), noon)

describe('the error for a status', () => {
  test.each([200, 201, 204, 299])('status %i is not an error', (status) => {
    expect(failure(status)).toBeUndefined()
  })

  test.each([
    [199, 'network', 'not retryable'],
    [300, 'network', 'not retryable'],
    [302, 'network', 'not retryable'],
    [400, 'rejected', 'not retryable'],
    [401, 'unauthenticated', 'not retryable'],
    [403, 'forbidden', 'not retryable'],
    [404, 'not_found', 'not retryable'],
    [408, 'rejected', 'retryable'],
    [409, 'rejected', 'not retryable'],
    [422, 'rejected', 'not retryable'],
    [429, 'rate_limited', 'retryable'],
    [499, 'rejected', 'not retryable'],
    [500, 'server', 'retryable'],
    [503, 'server', 'retryable'],
  ])('the error for status %i has the code "%s" and is %s', (status, code, kind) => {
    const retryable = kind === 'retryable'
    expect(failure(status)).toMatchObject({ code, details: { status, retryable } })
  })

  test.each([
    [401, 'the service rejected the API key (401)', 'the service rejected the action token (401)'],
    [
      403,
      'the API key does not have permission for this request (403)',
      'the action token does not have permission for this request (403)',
    ],
  ])('the error for status %i names the kind of credential that was sent', (status, withKey, withToken) => {
    expect(failure(status)?.message).toBe(withKey)
    const acting = { ...request, headers: { authorization: 'Token t.1!t.1!t.1!' } }
    expect(errorOf(acting, replyOf(status), noon)?.message).toBe(withToken)
  })

  test('status 300 is reported as a network error', async () => {
    const server = await serve(() => reply(300, '{}'))
    const call = testApi(server.url).users.get({ user: { external_user_id: '4711' } })
    await expect(call).rejects.toMatchObject({ code: 'network', details: { status: 300 } })
  })

  test.each([
    ['/v2/users?user_id=1', ' to https://api.test/v2/users'],
    ['https://login.test/start#k.1!k.1!k.1!', ' to https://login.test/start'],
    ['https://login.test/k.1!k.1!k.1!', ' to https://login.test/***'],
    ['https://:80:80', ''],
    ['javascript:alert(1)', ''],
  ])(
    'the error for a redirect to %o names the address without its query and without the key',
    (location, to) => {
      expect(failure(308, '', { location })?.message).toBe(
        `api.test returned a redirect (308)${to}; redirects are not followed`,
      )
    },
  )

  test('the error for a redirect contains the word "redirect", and the request counts as sent', () => {
    expect(failure(307)).toMatchObject({ notSent: false, message: expect.stringContaining('redirect') })
  })

  test.each([
    [{ 'x-request-id': 'r-1' }, 'r-1'],
    [{ 'x-correlation-id': 'c-1' }, 'c-1'],
    [{ 'x-request-id': 'r-1', 'x-correlation-id': 'c-1' }, 'r-1'],
    [{ 'x-request-id': 'r'.repeat(15_000) }, 'r'.repeat(200)],
    [{}, undefined],
  ])('an error contains the request ID from the headers %o', (headers, requestId) => {
    expect(failure(500, '', headers)?.details.requestId).toBe(requestId)
  })

  test.each([
    [429, { 'retry-after': '7' }, 'Try again in 7 s.'],
    [429, { 'retry-after': '5400' }, 'Try again in 1 h 30 min.'],
    [429, {}, 'Try again later.'],
    [503, { 'retry-after': '7' }, 'Try again in 7 s.'],
    [503, { 'retry-after': '0' }, 'Try again later, or check the service: facescan doctor --network'],
    [500, {}, 'Try again later, or check the service: facescan doctor --network'],
  ])('the error for status %i with the headers %o has the hint "%s"', (status, headers, hint) => {
    expect(renderHints(failure(status, '', headers))).toBe(hint)
  })

  test.each([
    [501, {}],
    [400, { 'retry-after': '7' }],
  ])('the error for status %i with the headers %o has no hint', (status, headers) => {
    expect(renderHints(failure(status, '', headers))).toBeUndefined()
  })

  test.each([
    [{ 'retry-after': '7' }, 7],
    [{ 'retry-after': 'Wed, 04 Mar 2026 12:00:01 GMT', date: 'Wed, 04 Mar 2026 11:59:58 GMT' }, 3],
    [{ 'retry-after': 'Wed, 04 Mar 2026 12:00:02 GMT' }, 2],
    [{}, undefined],
  ])(
    'an error contains the number of seconds to wait, which is read from the headers %o',
    (headers, seconds) => {
      expect(failure(429, '', headers)?.details.retryAfter).toBe(seconds)
    },
  )
})

describe('the error message from a response body', () => {
  // spec 7:6
  test.each<[unknown, string[]]>([
    [{ detail: 'no' }, ['no']],
    [{ detail: [] }, []],
    [
      {
        detail: [
          { loc: ['body', 0, 'value'], msg: 'too large' },
          { msg: 'odd' },
          { loc: 'body' },
          { loc: [] },
          'text',
          null,
        ],
      },
      ['body.0.value: too large', 'odd', 'not accepted', 'not accepted', 'text', 'null'],
    ],
    [{ message: 'elsewhere' }, ['{"message":"elsewhere"}']],
    [{ detail: { sex: ['unknown'] } }, ['{"sex":["unknown"]}']],
    [{ error: 'used up', action_token: 'opaque-1' }, ['{"error":"used up","action_token":"***"}']],
    [{}, []],
    ['"detail"', ['"detail"']],
    ['null', ['null']],
    ['3', ['3']],
    ['true', ['true']],
    ['  \n', []],
    ['[1,2', []],
    ['{"detail":{"limit":9007199254740993}}', ['{"limit":9007199254740993}']],
    ['{"detail":', []],
    [' plain words\nmore', ['plain words']],
    ['closing}', ['closing}']],
    ['ends with {', ['ends with {']],
    ['ends with [', ['ends with [']],
    ['3 <', ['3 <']],
    ['<html><head><title class="x"> Bad Gateway </title>', ['Bad Gateway']],
    ['<html><TITLE>Away</TITLE>', ['Away']],
    ['<html><title></title>', []],
    ['<html><title>  </title>', []],
    ['<p>nothing', []],
  ])('the error for the response body %o has the lines %o', (body, lines) => {
    expect(detailLines(replyOf(400, body))).toEqual(lines)
  })

  test.each([
    ['in unknown JSON', (key: string) => ({ message: `bad ${key}`, errors: [{ [key]: key }] })],
    ['in the text of a detail', (key: string) => ({ detail: `bad ${key}` })],
    ['in plain text', (key: string) => `bad ${key}`],
  ])('a key with a line break, a tab, or a color code is masked in the error text %s', (_, bodyOf) => {
    for (const gap of ['\n', '\r\n', '\t', '\0', '\u001b[31m']) {
      const { message = '' } = failure(400, bodyOf(`k.1!k.${gap}1!k.1!`)) ?? {}
      expect(message).toContain('***')
      expect(message).not.toContain('1!k')
    }
  })

  test('the error text from the service follows the general message, with one line per problem', () => {
    expect(failure(404)?.message).toBe('not found (404)')
    expect(failure(418, { detail: 'short and stout' })?.message).toBe(
      'the service rejected the request (418): short and stout',
    )
    expect(failure(507)?.message).toBe('the service had an internal error (507)')
    expect(failure(422, { detail: ['a', 'b'] })?.message).toBe(
      'the service rejected some fields (422):\n  a\n  b',
    )
  })

  test.each([
    [{ detail: 'no\r\n✓ Updated user 4711\n' }],
    [{ detail: ['no\u2028✓ Updated user 4711'] }],
    [{ detail: [{ msg: 'no\n\n✓ Updated user 4711' }] }],
    ['<title>no\n✓ Updated user 4711</title>'],
  ])('the error text from the service is printed on one line: %o', (body) => {
    expect(failure(409, body)?.message).toBe('the service rejected the request (409): no ✓ Updated user 4711')
  })

  test('the error text from the service has a limited number of lines and a limited length', () => {
    const lines = (count: number) => failure(422, { detail: Array(count).fill('x') })?.message.split('\n')
    expect(lines(50)).toHaveLength(51)
    expect(lines(50)?.at(-1)).toBe('  x')
    expect(lines(53)).toHaveLength(52)
    expect(lines(53)?.at(-1)).toBe('  and 3 more')
    expect(failure(400, { detail: 'y'.repeat(9_000) })?.message.match(/y/g)).toHaveLength(500)
  })

  test('the error message does not contain the API key of the request', () => {
    const said = failure(400, { detail: `${'z'.repeat(495)}k.1!k.1!k.1! ` })?.message
    expect(said).not.toContain('k.1!')
  })
})

describe('the body of a response', () => {
  const read = async (reply: WireResponse, endpoint: Endpoint = contract.users.get) => {
    const call = { endpoint, input: {}, request, credential: undefined, attempt: 1 }
    const { content } = await checkBody(new URL(request.origin))(call, async () => reply)
    return content?.value
  }
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2])

  test('a response body is returned unchanged if the contract defines it as an image', async () => {
    expect(await read(replyOf(200, png), contract.ceLabel)).toEqual(png)
  })

  test.each([
    ['another first byte', Buffer.from([0x88, 0x50, 0x4e, 0x47])],
    ['another last byte', Buffer.from([0x89, 0x50, 0x4e, 0x48])],
    ['only its first bytes', png.subarray(0, 3)],
    ['none', Buffer.alloc(0)],
  ])('a response body is refused as an image if its signature has %s', async (_, bytes) => {
    const reading = read(replyOf(200, bytes), contract.ceLabel)
    await expect(reading).rejects.toThrow(/returned 200 with a body that is not a PNG image/)
  })

  test('status 204 is an error for an endpoint that returns an image', async () => {
    const reading = read(replyOf(204), contract.ceLabel)
    await expect(reading).rejects.toThrow('returned 204 with a body that is not a PNG image')
  })

  test('a response without a body is returned as null', async () => {
    expect(await read(replyOf(204), contract.metrics)).toBeNull()
  })

  test.each([
    [Buffer.from([0x22, 0xff, 0x22]), 'a body that is not valid UTF-8'],
    [' \n<html>', 'an HTML page'],
    ['1 <html>', 'a body that is not JSON'],
    ['x<y', 'a body that is not JSON'],
  ])('a response body is refused if it cannot be read: %s', async (body, what) => {
    await expect(read(replyOf(200, body, { 'x-request-id': 'r-9' }))).rejects.toThrow(
      expect.objectContaining({
        code: 'server',
        message: `api.test returned 200 with ${what}`,
        details: expect.objectContaining({ status: 200, requestId: 'r-9' }),
      }),
    )
  })
})

describe('the hint for an invalid response', () => {
  const hintOf = (call: Promise<unknown>) =>
    call.then(
      () => 'no error',
      (error: FacescanError) => renderHints(error),
    )

  test('the hint for an invalid response contains the path and query of the request without the base URL', async () => {
    const server = await serve(() => reply(200, 'null'))
    const api = testApi(`${server.url}/base/`)
    expect(await hintOf(api.users.get({ user: { external_user_id: "o'hara 1" } }))).toBe(
      "Show the raw response: facescan api GET '/v2/users?external_user_id=o%27hara+1'",
    )
    const scan = '5151d12e-2f9a-4d7a-962f-fd85d23bd68b'
    const get = api.biomarkers.get({ params: { face_scan_id: scan }, user: { external_user_id: '4711' } })
    expect(await hintOf(get)).toContain(`api GET '/v2/face-scans/${scan}?external_user_id=4711'`)
  })

  test('the hint for an invalid response contains the body of the request', async () => {
    const server = await serve(() => reply(201, 'null'))
    const call = testApi(server.url).users.authenticate({ user: { external_user_id: '4711' } })
    expect(await hintOf(call)).toBe(
      `Show the raw response: echo '{"external_user_id":"4711"}' | facescan api POST /v2/users/authenticate --body -`,
    )
  })
})
