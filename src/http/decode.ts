import zlib from 'node:zlib'

/** Maximum size of a reply in bytes: far above any real reply, and small enough for memory. */
export const maxReplyBytes = 64 * 1024 * 1024

type Decoder = (bytes: Uint8Array) => Uint8Array

const limit = { maxOutputLength: maxReplyBytes }

const decoders: Readonly<Record<string, Decoder>> = {
  identity: (bytes) => bytes,
  gzip: (bytes) => zlib.gunzipSync(bytes, limit),
  'x-gzip': (bytes) => zlib.gunzipSync(bytes, limit),
  br: (bytes) => zlib.brotliDecompressSync(bytes, limit),
  deflate: inflate,
  zstd,
}

/** RFC 9110 requires a zlib wrapper, but some servers omit it. */
function inflate(bytes: Uint8Array): Uint8Array {
  const wrapped = ((bytes[0] ?? 0) & 0x0f) === 8
  return wrapped ? zlib.inflateSync(bytes, limit) : zlib.inflateRawSync(bytes, limit)
}

/** Node supports zstd since 22.15. */
function zstd(bytes: Uint8Array): Uint8Array {
  const decompress: unknown = Reflect.get(zlib, 'zstdDecompressSync')
  if (typeof decompress === 'function') return decompress(bytes, limit)
  throw unknownEncoding('zstd')
}

/** Decodes a body by its Content-Encoding header, last encoding first. Throws an Error with a `code`. */
export function decode(raw: Uint8Array, header?: string): Uint8Array {
  if (header === undefined || raw.length === 0) return raw
  return header
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean)
    .reduceRight((bytes, name) => findDecoder(name)(bytes), raw)
}

function findDecoder(name: string): Decoder {
  const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined
  if (decoder) return decoder
  throw unknownEncoding(name)
}

function unknownEncoding(name: string): Error {
  return Object.assign(new Error(`unknown encoding ${name}`), { code: 'FACESCAN_UNKNOWN_ENCODING' })
}
