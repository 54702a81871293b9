import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib'
import { head, reply, type Step, send } from '../../helpers/hostile-server.ts'
import { body, type Fault, json, maybeDone, repeated, single, success, user } from './fault.ts'

/** Faults in the body of a response with a success status. */
export const bodies: Fault[] = [
  {
    name: 'an empty body',
    script: body(''),
    sent: single,
    sees: /invalid response from|without a body/,
    exitCode: 8,
    change: { sees: maybeDone, exitCode: 8 },
  },
  { name: 'a body of spaces', script: body('   '), sent: single, sees: 'not JSON', exitCode: 8 },
  {
    name: 'null',
    script: body('null'),
    sent: single,
    sees: 'invalid response from',
    exitCode: 8,
    change: { sees: maybeDone, exitCode: 8 },
  },
  {
    name: 'an array instead of an object',
    script: body('[1,2]'),
    sent: single,
    sees: 'invalid response from',
    exitCode: 8,
    change: { sees: maybeDone, exitCode: 8 },
  },
  {
    name: 'an object with a field of another type',
    script: body('{"user_id":7}'),
    sent: single,
    sees: 'warning',
    change: { sees: maybeDone, exitCode: 8 },
  },
  {
    name: 'unknown fields',
    script: body(JSON.stringify({ ...user, mood: 'fine' })),
    sent: single,
    sees: 'data',
  },
  {
    name: 'truncated JSON',
    script: body(json.slice(0, 20)),
    sent: single,
    sees: 'not JSON',
    exitCode: 8,
  },
  { name: 'a trailing comma', script: body('{"user_id":"1",}'), sent: single, sees: 'not JSON', exitCode: 8 },
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
    name: 'JSON with the type text/html',
    script: body(json, { 'content-type': 'text/html' }),
    sent: single,
    sees: 'data',
  },
  {
    name: 'JSON without a content type',
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
    name: '100,000 nested brackets',
    script: body('['.repeat(100_000) + ']'.repeat(100_000)),
    sent: single,
    sees: 'not JSON',
    exitCode: 8,
  },
  {
    name: 'a duplicate key',
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
    name: 'truncated gzip',
    script: body(gzipSync(json).subarray(0, 30), { 'content-encoding': 'gzip' }),
    sent: repeated,
    sees: 'compressed response is corrupt',
    exitCode: 9,
    change: { sees: maybeDone },
  },
  {
    name: 'a gzip header without gzip data',
    script: body(json, { 'content-encoding': 'gzip' }),
    sent: repeated,
    sees: 'compressed response is corrupt',
    exitCode: 9,
    change: { sees: maybeDone },
  },
  {
    name: 'an unknown encoding',
    script: body(json, { 'content-encoding': 'snappy' }),
    sent: single,
    sees: 'unsupported compression "snappy"',
    exitCode: 9,
    change: { sees: maybeDone },
  },
  {
    name: 'status 404 and an unknown encoding',
    script: () => [send(head(404, { 'content-encoding': 'zstd', 'content-length': '4' })), send('zstd')],
    sent: single,
    sees: 'unsupported compression "zstd"',
    exitCode: 9,
  },
  {
    name: 'a gzip bomb',
    script: body(bomb(), { 'content-encoding': 'gzip' }),
    sent: single,
    sees: 'too large',
    exitCode: 9,
    change: { sees: maybeDone },
  },
  {
    name: 'an endless body',
    script: ({ method }) => [send(head(success(method), {})), ...endless()],
    sent: single,
    sees: 'too large',
    exitCode: 9,
    change: { sees: maybeDone },
  },
  {
    name: 'more bytes than announced',
    script: ({ method }) =>
      send(`${head(success(method), { 'content-length': String(json.length) })}${json}and more`),
    sent: single,
    sees: 'data',
  },
  {
    name: 'status 204 instead of a body',
    script: () => reply(204),
    sent: single,
    sees: /invalid response from|without a body/,
    exitCode: 8,
    change: { sees: maybeDone, exitCode: 8 },
  },
]

function bomb(): Buffer {
  return gzipSync(Buffer.alloc(70 * 1024 * 1024, ' '))
}

function endless(): Step[] {
  const megabyte = send(Buffer.alloc(1024 * 1024, ' '))
  return Array.from({ length: 70 }, () => megabyte)
}
