import zlib from 'node:zlib'
import { expect, test } from 'vitest'
import { decode } from '../../src/http/transport.ts'

const plain = Buffer.from('{"name":"größer"}')

test.each([
  ['nothing', undefined, plain],
  ['identity', 'identity', plain],
  ['gzip', 'gzip', zlib.gzipSync(plain)],
  ['x-gzip', 'X-GZip', zlib.gzipSync(plain)],
  ['br', 'br', zlib.brotliCompressSync(plain)],
  ['deflate', 'deflate', zlib.deflateSync(plain)],
  ['deflate without a zlib header', 'deflate', zlib.deflateRawSync(plain)],
  ['two encodings', 'gzip, br', zlib.brotliCompressSync(zlib.gzipSync(plain))],
  ['an empty encoding name', 'gzip,, ', zlib.gzipSync(plain)],
])('the client decodes a response body with %s', (_, header, bytes) => {
  expect(Buffer.from(decode(bytes, header))).toEqual(plain)
})

test('the client returns an empty response body unchanged', () => {
  expect(decode(Buffer.alloc(0), 'gzip')).toHaveLength(0)
})

test.each(['zip', 'constructor', 'gzip;q=1'])(
  'the client refuses the unknown content encoding %s',
  (header) => {
    expect(() => decode(plain, header)).toThrow(
      expect.objectContaining({ code: 'FACESCAN_UNKNOWN_ENCODING' }),
    )
  },
)

test.each(['gzip', 'br', 'deflate'])(
  'the client reports an error if a response names the content encoding %s but its body is not encoded',
  (header) => {
    expect(() => decode(plain, header)).toThrow(expect.objectContaining({ code: expect.any(String) }))
  },
)

const tooMuch = Buffer.alloc(65 * 1024 * 1024)
const fastest = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 0 } }

test.each([
  ['gzip', () => zlib.gzipSync(tooMuch, { level: 1 })],
  ['br', () => zlib.brotliCompressSync(tooMuch, fastest)],
  ['deflate', () => zlib.deflateSync(tooMuch, { level: 1 })],
  ['deflate', () => zlib.deflateRawSync(tooMuch, { level: 1 })],
])('the client stops decoding a %s body that expands to more than 64 MiB', (header, bomb) => {
  expect(() => decode(bomb(), header)).toThrow(expect.objectContaining({ code: 'ERR_BUFFER_TOO_LARGE' }))
})
