import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCurl } from '../../src/http/curl.ts'
import { harObserver } from '../../src/http/har.ts'
import { maskText, maskUrl, maskValue } from '../../src/http/redact.ts'
import { detailLines, errorOf } from '../../src/http/reply.ts'
import { traceObserver } from '../../src/http/trace.ts'
import type { WireReply, WireRequest } from '../../src/http/wire.ts'
import { fuzzRuns, fuzzTimeoutMs } from '../output/fuzz-runs.ts'

test.each([
  ['see https://a.test/?token=abc&x=1.', 'see https://a.test/?token=***&x=1.'],
  ['https://a.test/?x-api-key=abc', 'https://a.test/?x-api-key=***'],
  ['https://a.test/#access_token=abc', 'https://a.test/#access_token=***'],
  ['https://me:pw@a.test/', 'https://***@a.test/'],
  ['key k.1!, again k.1!', 'key ***, again ***'],
  ['lookup_key=height&key=1', 'lookup_key=height&key=1'],
  ['host name.example.com, version 1.2.3', 'host name.example.com, version 1.2.3'],
])('%s becomes %s', (text, masked) => {
  expect(maskText(text, ['k.1!'])).toBe(masked)
})

test('a URL in a trace shows no id and no value of its query', () => {
  const id = '5151d12e-2f9a-4d7a-962f-fd85d23bd68b'
  const url = new URL(
    `https://api.test/v2/users/${id}/${id.replaceAll('-', '')}?external_user_id=4711&count=3`,
  )
  expect(maskUrl(url)).toBe('https://api.test/v2/users/***/***?external_user_id=***&count=***')
})

/** A key or token as the service hands them out: `! - . _ @` among the letters. */
const secret = fc.string({
  unit: fc.constantFrom(...'abcXYZ019!-._@'),
  minLength: 12,
  maxLength: 40,
})
const surroundings = fc.string({
  unit: fc.oneof(fc.constantFrom(...' "\'\\&=?/<>{}[]:;,%\n*.-_'), fc.string({ minLength: 1, maxLength: 3 })),
})
/** Text that holds the secret, as it is or percent-encoded. */
const leaking = (value: string) =>
  fc
    .tuple(surroundings, fc.constantFrom(value, encodeURIComponent(value)), surroundings)
    .map((parts) => parts.join(''))
const leakingJson = (value: string) =>
  fc
    .tuple(fc.jsonValue(), leaking(value), leaking(value), fc.jsonValue())
    .map(([before, inside, name, after]) => ({ before, list: [after, inside, { [name]: inside }] }))

function requestWith(value: string, body: string | undefined): WireRequest {
  return {
    method: 'POST',
    url: new URL(`https://api.test/v2/x?echo=${encodeURIComponent(value)}`),
    headers: { 'x-api-key': value, accept: 'application/json' },
    ...(body !== undefined && { body }),
  }
}

function expectClean(text: string, value: string): void {
  expect(text).not.toContain(value)
  expect(text).not.toContain(JSON.stringify(value).slice(1, -1))
}

test(
  'a secret never survives in a text or a JSON value',
  () => {
    const property = fc.property(
      secret.chain((value) => fc.tuple(fc.constant(value), leaking(value), leakingJson(value))),
      ([value, text, json]) => {
        expectClean(maskText(text, [value]), value)
        expectClean(JSON.stringify(maskValue(json, [value])), value)
      },
    )
    fc.assert(property, { numRuns: fuzzRuns })
  },
  fuzzTimeoutMs,
)

test(
  'a web token and a password in a URL never survive, whoever they belong to',
  () => {
    const part = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_'), minLength: 12, maxLength: 30 })
    const property = fc.property(part, part, part, surroundings, (head, payload, signature, before) => {
      const token = `eyJ${head}.${payload}.${signature}`
      for (const text of [`${before} ${token}`, `https://a.test/${token}?x=1`, `x=${token}&y`]) {
        expect(maskText(text, [])).not.toContain(payload)
      }
      expect(maskText(`${before} https://me:${payload}@a.test/?sig=${signature}`, [])).not.toContain(payload)
    })
    fc.assert(property, { numRuns: fuzzRuns })
  },
  fuzzTimeoutMs,
)

test(
  'no archive, trace, error or curl command holds the key, whatever the service sends back',
  () => {
    const property = fc.property(
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
      ({ value, sent, received, header, status, type, secretReply }) => {
        const request = { ...requestWith(value, JSON.stringify(sent)), secretReply }
        const reply: WireReply = {
          status,
          headers: { 'content-type': type, 'x-request-id': header, location: header },
          body: Buffer.from(received),
          durationMs: 1,
        }
        const written: string[] = []
        const har = harObserver(
          (entry) => written.push(JSON.stringify(entry)),
          () => 0,
        )
        const trace = traceObserver((line) => written.push(line))
        for (const observer of [har, trace]) {
          observer.request?.(request, 1)
          observer.reply?.(request, reply)
        }
        written.push(errorOf(request, reply, 0)?.message ?? '')
        // The body of a request is the person's own; only its headers carry the credential.
        const { body: _, ...bodiless } = request
        written.push(toCurl({ ...bodiless, url: new URL('https://api.test/') }))
        for (const text of written) expectClean(text, value)
      },
    )
    fc.assert(property, { numRuns: fuzzRuns })
  },
  fuzzTimeoutMs,
)

test(
  'the words of a reply are read from any bytes, in lines',
  () => {
    const property = fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.json().map((text) => Buffer.from(text)),
        fc.anything().map((detail) => Buffer.from(JSON.stringify({ detail }) ?? '')),
      ),
      (body) => {
        const lines = detailLines({ status: 400, headers: {}, body, durationMs: 0 })
        expect(lines.every((line) => typeof line === 'string')).toBe(true)
      },
    )
    fc.assert(property, { numRuns: fuzzRuns })
  },
  fuzzTimeoutMs,
)

/** Reads words as a POSIX shell would, as far as `toCurl` uses its quotes. */
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

test(
  'a shell reads a curl command as the request that it shows',
  () => {
    const property = fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary-ascii' }),
      (id, note) => {
        const body = JSON.stringify({ id, note })
        const url = new URL(
          `https://api.test/v2/users?external_user_id=${encodeURIComponent(id.toWellFormed())}`,
        )
        const request: WireRequest = {
          method: 'POST',
          url,
          headers: { 'x-api-key': 'k', 'x-note': 'it’s $HOME' },
          body,
        }
        const words = shellWords(toCurl(request), { FACESCAN_API_KEY: 'k' })
        expect(words).toContain(body)
        expect(words).toContain('x-note: it’s $HOME')
        expect(words).toContain('x-api-key: k')
        expect(words.at(-1)).toBe(url.href)
      },
    )
    fc.assert(property, { numRuns: fuzzRuns })
  },
  fuzzTimeoutMs,
)
