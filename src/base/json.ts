import { randomUUID } from 'node:crypto'

const mayLosePrecision = /\d{16}|\d[eE]\+?\d{3}/
const stringsAndNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

const deepest = 200

/** How deep the brackets of a JSON text nest, counted no further than needed. */
function nestsTooDeep(text: string): boolean {
  let depth = 0
  for (const [bracket] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]/g)) {
    if (bracket === '[' || bracket === '{') depth++
    else if (bracket === ']' || bracket === '}') depth--
    if (depth > deepest) return true
  }
  return false
}

/**
 * Parses JSON so that no digit is lost: an integer beyond 2^53 becomes a bigint, a number beyond all doubles stays text.
 * Throws SyntaxError, also where it nests deeper than any reader of the value could follow.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (nestsTooDeep(text)) throw new SyntaxError('nested too deep')
  if (!mayLosePrecision.test(text)) return value
  const marker = `${randomUUID()}:`
  const marked = text.replace(stringsAndNumbers, (token) =>
    token.startsWith('"') || isExact(token) ? token : `"${marker}${token}"`,
  )
  return JSON.parse(marked, (_, item: unknown) =>
    typeof item === 'string' && item.startsWith(marker) ? readLarge(item.slice(marker.length)) : item,
  )
}

function isExact(token: string): boolean {
  const value = Number(token)
  return Number.isFinite(value) && (Number.isSafeInteger(value) || !/^-?\d+$/.test(token))
}

function readLarge(token: string): bigint | string {
  return /^-?\d+$/.test(token) ? BigInt(token) : token
}

/** The JSON text of a value, with a bigint as the integer that it is. A missing value is null. */
export function toJsonText(value: unknown, indent: 0 | 2 = 0): string {
  const marker = `${randomUUID()}:`
  let found = false
  const text = JSON.stringify(
    value ?? null,
    (_, item: unknown) => {
      if (typeof item !== 'bigint') return item
      found = true
      return `${marker}${item}`
    },
    indent,
  )
  return found ? text.replace(new RegExp(`"${marker}(-?\\d+)"`, 'g'), '$1') : text
}
