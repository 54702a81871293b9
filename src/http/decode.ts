import zlib from 'node:zlib'

/** Maximum size of a reply in bytes: far above any real reply, and small enough for memory. */
export const maxReplyBytes = 64 * 1024 * 1024

const limit = { maxOutputLength: maxReplyBytes }

const decoders: Readonly<Record<string, (bytes: Uint8Array, options: zlib.ZlibOptions) => Uint8Array>> = {
  identity: (bytes) => bytes,
  // Functions, because reading an export loads node:zlib, which most replies do not need.
  gzip: (bytes, options) => zlib.gunzipSync(bytes, options),
  'x-gzip': (bytes, options) => zlib.gunzipSync(bytes, options),
  br: (bytes, options) => zlib.brotliDecompressSync(bytes, options),
  // RFC 9110 requires a zlib wrapper, but some servers omit it.
  deflate: (bytes, options) =>
    ((bytes[0] ?? 0) & 0x0f) === 8 ? zlib.inflateSync(bytes, options) : zlib.inflateRawSync(bytes, options),
}

/** Decodes a body by its Content-Encoding header, last encoding first. Throws an Error with a `code`. */
export function decode(raw: Uint8Array, header?: string): Uint8Array {
  if (header === undefined || raw.length === 0) return raw
  return header
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean)
    .reduceRight((bytes, name) => {
      const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined
      if (decoder) return decoder(bytes, limit)
      throw Object.assign(new Error(`unknown encoding ${name}`), { code: 'FACESCAN_UNKNOWN_ENCODING' })
    }, raw)
}
