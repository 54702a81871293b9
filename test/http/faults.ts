import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib'
import {
  close,
  cutReply,
  hang,
  head,
  reply,
  reset,
  type Script,
  type Step,
  send,
  wait,
} from '../helpers/hostile-server.ts'

export interface Fault {
  name: string
  /** Answers every attempt alike, unless it looks at the request's index. */
  script: Script
  /** Done to each connection before anything is read from it. */
  greeting?: readonly Step[]
  /** Requests seen by the service, for the retry classes read, repeatable and once. With three attempts at most. */
  sent: readonly [read: number, repeatable: number, once: number]
  /** What a person reads; `data` where the call succeeds. */
  sees: string | RegExp
  exitCode?: number
  /** For a call that cannot be repeated, where it ends differently. */
  once?: { sees: string | RegExp; exitCode?: number }
  /** Waits between the attempts of a read, in ms. */
  waits?: readonly number[]
  timeoutMs?: number
}

export const user = {
  user_id: '5151d12e-2f9a-4d7a-962f-fd85d23bd68b',
  customer: 'Acme',
  sex: 'F',
}
const json = JSON.stringify(user)
const success = (method: string) => (method === 'POST' ? 201 : 200)

/** A script that answers with the success status of the call and this body. */
function body(bytes: string | Buffer, headers: Record<string, string> = {}): Script {
  const content = Buffer.from(bytes)
  const all = { 'content-type': 'application/json', 'content-length': String(content.length), ...headers }
  return ({ method }) => [send(head(success(method), all)), send(content)]
}

const fine = body(json)
const raw =
  (text: string): Script =>
  () => [send(text), close()]
const status =
  (code: number, content: unknown = { detail: 'so it is' }, headers = {}): Script =>
  () =>
    reply(code, content, headers)
const first =
  (fault: Script, then: Script): Script =>
  (request) =>
    request.index === 0 ? fault(request) : then(request)

const always = [3, 3, 3] as const
const repeated = [3, 3, 1] as const
const single = [1, 1, 1] as const
const maybeDone = 'It may have been done all the same'
const answerLost = 'only its answer is lost'

const connection: Fault[] = [
  {
    name: 'closes the connection without a word',
    script: () => close(),
    sent: repeated,
    sees: 'closed before the whole reply',
    exitCode: 9,
    once: { sees: maybeDone },
  },
  {
    name: 'resets the connection without a word',
    script: () => reset(),
    sent: repeated,
    sees: 'was reset',
    exitCode: 9,
    once: { sees: maybeDone },
  },
  {
    name: 'never answers',
    script: () => hang(),
    sent: repeated,
    sees: 'no answer within 0.1 s',
    exitCode: 9,
    once: { sees: maybeDone },
    timeoutMs: 100,
  },
  {
    name: 'closes in the status line',
    script: raw('HTTP/1.1 20'),
    sent: repeated,
    sees: /closed before|not HTTP/,
    exitCode: 9,
    once: { sees: maybeDone },
  },
  {
    name: 'closes in the headers',
    script: raw('HTTP/1.1 200 OK\r\ncontent-type: appl'),
    sent: repeated,
    sees: /closed before|not HTTP/,
    exitCode: 9,
    once: { sees: maybeDone },
  },
  {
    name: 'resets in the headers',
    script: () => [send('HTTP/1.1 200 OK\r\ncontent-type: appl'), wait(10), reset()],
    sent: repeated,
    sees: /reset|closed/,
    exitCode: 9,
    once: { sees: maybeDone },
  },
  {
    name: 'hangs in the headers',
    script: () => [send('HTTP/1.1 200 OK\r\n'), hang()],
    sent: repeated,
    sees: 'no answer within 0.1 s',
    exitCode: 9,
    once: { sees: maybeDone },
    timeoutMs: 100,
  },
  {
    name: 'closes in the body',
    script: ({ method }) => [cutReply(success(method), json, 20), close()],
    sent: repeated,
    sees: 'closed before the whole reply',
    exitCode: 9,
    once: { sees: answerLost },
  },
  {
    name: 'resets in the body',
    script: ({ method }) => [cutReply(success(method), json, 20), wait(10), reset()],
    sent: repeated,
    sees: /reset|closed/,
    exitCode: 9,
    once: { sees: answerLost },
  },
  {
    name: 'hangs in the body',
    script: ({ method }) => [cutReply(success(method), json, 20), hang()],
    sent: repeated,
    sees: 'no answer within 0.1 s',
    exitCode: 9,
    once: { sees: answerLost },
    timeoutMs: 100,
  },
  {
    name: 'trickles the body',
    script: ({ method }) => [
      send(head(success(method), { 'content-length': '1000' })),
      ...Array.from({ length: 40 }, () => [send(' '), wait(20)]).flat(),
    ],
    sent: repeated,
    sees: 'no answer within 0.1 s',
    exitCode: 9,
    once: { sees: answerLost },
    timeoutMs: 100,
  },
  {
    name: 'sends garbage',
    script: raw('\x00\x01\x02\x03 what is this\r\n\r\n'),
    sent: repeated,
    sees: 'not HTTP',
    exitCode: 9,
    once: { sees: maybeDone },
  },
  {
    name: 'speaks SSH',
    script: () => hang(),
    greeting: [send('SSH-2.0-OpenSSH_9.6\r\n')],
    sent: repeated,
    sees: 'not HTTP',
    exitCode: 9,
    once: { sees: maybeDone },
  },
  {
    name: 'speaks TLS',
    script: () => [send(Buffer.from('15030100020228', 'hex')), close()],
    sent: repeated,
    sees: 'not HTTP',
    exitCode: 9,
    once: { sees: maybeDone },
  },
  {
    name: 'speaks HTTP/0.9',
    script: raw('<html>hello</html>'),
    sent: repeated,
    sees: 'not HTTP',
    exitCode: 9,
    once: { sees: maybeDone },
  },
  {
    name: 'speaks HTTP/2',
    script: () => [send(Buffer.from('000000040000000000', 'hex')), close()],
    sent: repeated,
    sees: 'not HTTP',
    exitCode: 9,
    once: { sees: maybeDone },
  },
  {
    name: 'sends a header of 32 KB',
    script: () => reply(200, json, { 'x-padding': 'x'.repeat(32_768) }),
    sent: single,
    sees: 'headers of the reply are larger',
    exitCode: 9,
    once: { sees: maybeDone },
  },
  {
    name: 'sends headers without end',
    script: () => [
      send('HTTP/1.1 200 OK\r\n'),
      ...Array.from({ length: 2_000 }, (_, i) => send(`x-${i}: ${'y'.repeat(50)}\r\n`)),
    ],
    sent: single,
    sees: 'headers of the reply are larger',
    exitCode: 9,
    once: { sees: maybeDone },
  },
  {
    name: 'sends a NUL in a header',
    script: raw('HTTP/1.1 200 OK\r\nx-a: b\x00c\r\ncontent-length: 0\r\n\r\n'),
    sent: repeated,
    sees: 'not HTTP',
    exitCode: 9,
    once: { sees: maybeDone },
  },
  {
    name: 'announces two lengths',
    script: raw(`HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 9\r\n\r\n${json}`),
    sent: repeated,
    sees: /closed before|not HTTP/,
    exitCode: 9,
    once: { sees: maybeDone },
  },
  {
    name: 'announces a negative length',
    script: raw(`HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\n${json}`),
    sent: repeated,
    sees: 'not HTTP',
    exitCode: 9,
    once: { sees: maybeDone },
  },
  {
    name: 'announces a length and chunks',
    script: raw(`HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    sent: repeated,
    sees: /closed before|not HTTP/,
    exitCode: 9,
    once: { sees: maybeDone },
  },
  {
    name: 'switches protocols',
    script: raw('HTTP/1.1 101 Switching\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
    sent: repeated,
    sees: /closed|upgrade/,
    exitCode: 9,
    once: { sees: maybeDone },
  },
  {
    name: 'breaks off between chunks',
    script: ({ method }) => [
      send(head(success(method), { 'transfer-encoding': 'chunked' })),
      send(`5\r\n{"a":\r\n`),
      close(),
    ],
    sent: repeated,
    sees: 'closed before the whole reply',
    exitCode: 9,
    once: { sees: answerLost },
  },
  {
    name: 'sends a chunk of no size',
    script: ({ method }) => [
      send(head(success(method), { 'transfer-encoding': 'chunked' })),
      send('zz\r\n{}\r\n'),
      close(),
    ],
    sent: repeated,
    sees: 'not HTTP',
    exitCode: 9,
    once: { sees: answerLost },
  },
  {
    name: 'sends hints first',
    script: (request) => [
      send('HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'),
      ...([fine(request)].flat() as Step[]),
    ],
    sent: single,
    sees: 'data',
  },
  {
    name: 'sends chunks',
    script: ({ method }) => [
      send(head(success(method), { 'transfer-encoding': 'chunked' })),
      ...[...json].map((c) => send(`1;x=y\r\n${c}\r\n`)),
      send('0\r\ntrailer: x\r\n\r\n'),
    ],
    sent: single,
    sees: 'data',
  },
  {
    name: 'ends the body by closing',
    script: ({ method }) => [
      send(`HTTP/1.1 ${success(method)} OK\r\nconnection: close\r\n\r\n${json}`),
      close(),
    ],
    sent: single,
    sees: 'data',
  },
  {
    name: 'speaks HTTP/1.0',
    script: ({ method }) => [send(`HTTP/1.0 ${success(method)} OK\r\n\r\n${json}`), close()],
    sent: single,
    sees: 'data',
  },
  {
    name: 'sends one byte at a time',
    script: ({ method }) =>
      [...Buffer.from(head(success(method), { 'content-length': String(json.length) }) + json)].map((byte) =>
        send(Buffer.of(byte)),
      ),
    sent: single,
    sees: 'data',
  },
  {
    name: 'answers twice',
    script: (request) => [...([fine(request)].flat() as Step[]), ...([fine(request)].flat() as Step[])],
    sent: single,
    sees: 'data',
  },
  {
    name: 'resets once',
    script: first(() => reset(), fine),
    sent: [2, 2, 1],
    sees: 'data',
    once: { sees: maybeDone, exitCode: 9 },
  },
  {
    name: 'breaks a body off once',
    script: first(({ method }) => [cutReply(success(method), json, 20), close()], fine),
    sent: [2, 2, 1],
    sees: 'data',
    once: { sees: answerLost, exitCode: 9 },
  },
]

const bodies: Fault[] = [
  { name: 'an empty body', script: body(''), sent: single, sees: 'warning' },
  { name: 'a body of blanks', script: body('   '), sent: single, sees: 'not JSON', exitCode: 8 },
  { name: 'null', script: body('null'), sent: single, sees: 'warning' },
  { name: 'an array for an object', script: body('[1,2]'), sent: single, sees: 'warning' },
  {
    name: 'an object with a field of another type',
    script: body('{"user_id":7}'),
    sent: single,
    sees: 'warning',
  },
  {
    name: 'unknown fields',
    script: body(JSON.stringify({ ...user, mood: 'fine' })),
    sent: single,
    sees: 'data',
  },
  {
    name: 'JSON that stops early',
    script: body(json.slice(0, 20)),
    sent: single,
    sees: 'not JSON',
    exitCode: 8,
  },
  { name: 'a comma too many', script: body('{"user_id":"1",}'), sent: single, sees: 'not JSON', exitCode: 8 },
  {
    name: 'text after the JSON',
    script: body(`${json} and more`),
    sent: single,
    sees: 'not JSON',
    exitCode: 8,
  },
  {
    name: 'a web page with status 200',
    script: body('<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' }),
    sent: single,
    sees: 'an HTML page',
    exitCode: 8,
  },
  {
    name: 'plain text with status 200',
    script: body('OK', { 'content-type': 'text/plain' }),
    sent: single,
    sees: 'not JSON',
    exitCode: 8,
  },
  {
    name: 'JSON called text/html',
    script: body(json, { 'content-type': 'text/html' }),
    sent: single,
    sees: 'data',
  },
  {
    name: 'JSON without a type',
    script: ({ method }) => send(head(success(method), { 'content-length': String(json.length) }) + json),
    sent: single,
    sees: 'data',
  },
  {
    name: 'JSON after a byte order mark',
    script: body(Buffer.concat([Buffer.from('efbbbf', 'hex'), Buffer.from(json)])),
    sent: single,
    sees: 'data',
  },
  {
    name: 'UTF-16',
    script: body(Buffer.from(json, 'utf16le')),
    sent: single,
    sees: /not JSON|not valid UTF-8/,
    exitCode: 8,
  },
  {
    name: 'invalid UTF-8',
    script: body(Buffer.from('7b2261223a22ff227d', 'hex')),
    sent: single,
    sees: 'not valid UTF-8',
    exitCode: 8,
  },
  {
    name: 'brackets 100,000 deep',
    script: body('['.repeat(100_000) + ']'.repeat(100_000)),
    sent: single,
    sees: 'not JSON',
    exitCode: 8,
  },
  {
    name: 'a key twice',
    script: body(json.replace('{', '{"customer":"First",')),
    sent: single,
    sees: 'data',
  },
  {
    name: '__proto__ as a key',
    script: body(json.replace('{', '{"__proto__":{"polluted":true},')),
    sent: single,
    sees: 'data',
  },
  { name: 'gzip', script: body(gzipSync(json), { 'content-encoding': 'GZIP' }), sent: single, sees: 'data' },
  {
    name: 'brotli',
    script: body(brotliCompressSync(json), { 'content-encoding': 'br' }),
    sent: single,
    sees: 'data',
  },
  {
    name: 'deflate without a wrapper',
    script: body(deflateRawSync(json), { 'content-encoding': 'deflate' }),
    sent: single,
    sees: 'data',
  },
  {
    name: 'gzip around brotli',
    script: body(gzipSync(brotliCompressSync(json)), { 'content-encoding': 'br, gzip' }),
    sent: single,
    sees: 'data',
  },
  {
    name: 'gzip that stops early',
    script: body(gzipSync(json).subarray(0, 30), { 'content-encoding': 'gzip' }),
    sent: repeated,
    sees: 'compressed data is broken',
    exitCode: 9,
    once: { sees: answerLost },
  },
  {
    name: 'gzip that is none',
    script: body(json, { 'content-encoding': 'gzip' }),
    sent: repeated,
    sees: 'compressed data is broken',
    exitCode: 9,
    once: { sees: answerLost },
  },
  {
    name: 'an encoding nobody knows',
    script: body(json, { 'content-encoding': 'snappy' }),
    sent: single,
    sees: 'compressed in a way',
    exitCode: 9,
    once: { sees: answerLost },
  },
  {
    name: 'a gzip bomb',
    script: body(bomb(), { 'content-encoding': 'gzip' }),
    sent: single,
    sees: 'larger than any this program reads',
    exitCode: 9,
    once: { sees: answerLost },
  },
  {
    name: 'a body without end',
    script: ({ method }) => [send(head(success(method), {})), ...endless()],
    sent: single,
    sees: 'larger than any this program reads',
    exitCode: 9,
    once: { sees: answerLost },
  },
  {
    name: 'more bytes than announced',
    script: ({ method }) =>
      send(`${head(success(method), { 'content-length': String(json.length) })}${json}and more`),
    sent: single,
    sees: 'data',
  },
  { name: 'no content where some is expected', script: () => reply(204), sent: single, sees: 'data' },
]

function bomb(): Buffer {
  return gzipSync(Buffer.alloc(70 * 1024 * 1024, ' '))
}

function endless(): Step[] {
  const megabyte = send(Buffer.alloc(1024 * 1024, ' '))
  return Array.from({ length: 70 }, () => megabyte)
}

const statuses: Fault[] = [
  {
    name: '301',
    script: status(301, '', { location: 'https://elsewhere.example/' }),
    sent: single,
    sees: 'a redirect, which is never followed',
    exitCode: 9,
  },
  {
    name: '307',
    script: status(307, '', { location: 'https://elsewhere.example/' }),
    sent: single,
    sees: 'a redirect, which is never followed',
    exitCode: 9,
  },
  { name: '400', script: status(400), sent: single, sees: 'so it is', exitCode: 6 },
  {
    name: '400 without a body',
    script: status(400, ''),
    sent: single,
    sees: 'the service refused the request (400)',
    exitCode: 6,
  },
  {
    name: '400 with a detail that is no text',
    script: status(400, { detail: 7 }),
    sent: single,
    sees: 'the service refused the request (400)',
    exitCode: 6,
  },
  { name: '401', script: status(401), sent: single, sees: 'came from the test', exitCode: 3 },
  {
    name: '401 that repeats the key',
    script: (request) => reply(401, { detail: `bad key ${request.headers['x-api-key']}` }),
    sent: single,
    sees: 'bad key ***',
    exitCode: 3,
  },
  { name: '403', script: status(403), sent: single, sees: 'came from the test', exitCode: 5 },
  { name: '404', script: status(404), sent: single, sees: 'not found (404): so it is', exitCode: 4 },
  { name: '408', script: status(408), sent: repeated, sees: '408', exitCode: 6, once: { sees: maybeDone } },
  { name: '409', script: status(409), sent: single, sees: 'so it is', exitCode: 6 },
  { name: '413', script: status(413), sent: single, sees: 'too large', exitCode: 6 },
  {
    name: '422 with two items',
    script: status(422, {
      detail: [
        { loc: ['body', 'sex'], msg: 'bad', type: 'x' },
        { loc: ['body', 0], msg: 'worse' },
      ],
    }),
    sent: single,
    sees: /body\.sex: bad\n.*body\.0: worse/s,
    exitCode: 6,
  },
  {
    name: '422 with a thousand items',
    script: status(422, { detail: Array.from({ length: 1_000 }, () => ({ loc: ['body'], msg: 'bad' })) }),
    sent: single,
    sees: 'and 950 more',
    exitCode: 6,
  },
  {
    name: '422 with odd items',
    script: status(422, { detail: [null, 7, 'text', {}] }),
    sent: single,
    sees: /null\n.*7\n.*text\n.*not accepted/s,
    exitCode: 6,
  },
  { name: '425', script: status(425), sent: repeated, sees: '425', exitCode: 6 },
  {
    name: '429',
    script: status(429),
    sent: always,
    sees: 'too many requests',
    exitCode: 7,
    waits: [250, 500],
  },
  {
    name: '429 with seconds',
    script: status(429, {}, { 'retry-after': '7' }),
    sent: always,
    sees: 'too many requests',
    exitCode: 7,
    waits: [7_000, 7_000],
  },
  {
    name: '429 with a date',
    script: status(
      429,
      {},
      { date: 'Sun, 06 Nov 1994 08:49:37 GMT', 'retry-after': 'Sun, 06 Nov 1994 08:49:49 GMT' },
    ),
    sent: always,
    sees: 'too many requests',
    exitCode: 7,
    waits: [12_000, 12_000],
  },
  {
    name: '429 with a date in the past',
    script: status(
      429,
      {},
      { date: 'Sun, 06 Nov 1994 08:49:37 GMT', 'retry-after': 'Sun, 06 Nov 1994 08:00:00 GMT' },
    ),
    sent: always,
    sees: 'too many requests',
    exitCode: 7,
    waits: [250, 500],
  },
  {
    name: '429 with nonsense',
    script: status(429, {}, { 'retry-after': '-1' }),
    sent: always,
    sees: 'too many requests',
    exitCode: 7,
    waits: [250, 500],
  },
  {
    name: '429 for an hour',
    script: status(429, {}, { 'retry-after': '3600' }),
    sent: single,
    sees: 'too many requests',
    exitCode: 7,
    waits: [],
  },
  {
    name: '429 once',
    script: first(status(429, {}, { 'retry-after': '1' }), fine),
    sent: [2, 2, 2],
    sees: 'data',
    waits: [1_000],
  },
  {
    name: '500',
    script: status(500),
    sent: repeated,
    sees: 'the service failed (500): so it is',
    exitCode: 8,
    once: { sees: maybeDone },
    waits: [250, 500],
  },
  {
    name: '500 with a web page',
    script: status(500, '<html><title>Oh no</title></html>', { 'content-type': 'text/html' }),
    sent: repeated,
    sees: 'Oh no',
    exitCode: 8,
    once: { sees: maybeDone },
  },
  {
    name: '500 with plain text',
    script: status(500, 'it broke\nat line 7'),
    sent: repeated,
    sees: 'it broke',
    exitCode: 8,
    once: { sees: maybeDone },
  },
  {
    name: '500 with a broken body',
    script: () => [cutReply(500, json, 5), close()],
    sent: repeated,
    sees: 'the service failed (500)',
    exitCode: 8,
    once: { sees: maybeDone },
  },
  { name: '501', script: status(501), sent: single, sees: '501', exitCode: 8 },
  {
    name: '502',
    script: status(502, '<title>Bad gateway</title>'),
    sent: repeated,
    sees: 'Bad gateway',
    exitCode: 8,
    once: { sees: maybeDone },
  },
  {
    name: '503 with seconds',
    script: status(503, {}, { 'retry-after': '2' }),
    sent: repeated,
    sees: 'not available',
    exitCode: 8,
    once: { sees: maybeDone },
    waits: [2_000, 2_000],
  },
  {
    name: '503 for an hour',
    script: status(503, {}, { 'retry-after': '3600' }),
    sent: single,
    sees: 'not available',
    exitCode: 8,
    waits: [],
  },
  {
    name: '503 once',
    script: first(status(503), fine),
    sent: [2, 2, 1],
    sees: 'data',
    once: { sees: maybeDone, exitCode: 8 },
  },
  {
    name: '504',
    script: status(504),
    sent: repeated,
    sees: 'in time',
    exitCode: 8,
    once: { sees: maybeDone },
  },
  { name: '599', script: status(599), sent: single, sees: '599', exitCode: 8 },
]

export const faults = { connection, bodies, statuses }
