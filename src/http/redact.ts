import { mapJson } from '../base/json.ts'
import { urlOf, type WireRequest } from './wire.ts'

const mask = '***'

const secretHeaders: ReadonlySet<string> = new Set([
  'x-api-key',
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
])

const secretName =
  /(?:token|jwt|secret|password|passwd|signature|credentials?|authorization|api[-_]?key|access[-_]?key|(?:^|[-_])(?:sig|auth|session))$/i
/** A JSON web token starts with ey or ew, the base64 form of the start of an object. */
const webToken = /(?<![\w-])e[yw][\w-]{8,}\.[\w-]{8}[\w.-]*/g
const parameter = /([?&;#])([\w.~%+-]+)=([^&;#\s"'<>]*)/g
/** Fast test: text without a match contains no pattern and no percent-encoded secret. */
const suspicious = /(?<![\w-])e[yw]|[?&;#]|:\/\/|%/
const userInfo = /(:\/\/)[^/?#\s"'<>@]+@/g

/** The credential of a request. It is also masked in the reply. */
export function secretsOf({ headers }: Pick<WireRequest, 'headers'>): string[] {
  const key = headers['x-api-key']
  const token = headers['authorization']?.replace(/^Token /, '')
  return [key, token].filter((secret) => secret !== undefined && secret !== '') as string[]
}

/** Masks the given secrets, everything that looks like a JSON web token, and credentials in URLs. */
export function maskText(text: string, secrets: readonly string[]): string {
  if (!suspicious.test(text) && !secrets.some((secret) => text.includes(secret))) return text
  let masked = text
  for (const secret of secrets) {
    masked = masked.replaceAll(secret, mask)
    if (masked.includes('%')) masked = masked.replace(percentEncoded(secret), mask)
  }
  return masked
    .replace(webToken, mask)
    .replace(userInfo, `$1${mask}@`)
    .replace(parameter, (whole, lead: string, name: string) =>
      secretName.test(name) ? `${lead}${name}=${mask}` : whole,
    )
}

/** Matches a secret with any of its characters percent-encoded, because servers encode different characters. */
function percentEncoded(secret: string): RegExp {
  const bytes = Array.from(Buffer.from(secret), (byte) => byte.toString(16).padStart(2, '0'))
  return new RegExp(bytes.map((hex) => `(?:%${hex}|\\x${hex})`).join(''), 'gi')
}

/** Masks secrets in a JSON value: by field name, by pattern, or because the value is in `secrets`. */
export function maskValue(value: unknown, secrets: readonly string[]): unknown {
  const maskLeaf = (leaf: unknown) => {
    if (typeof leaf === 'string') return maskText(leaf, secrets)
    const isNumber = typeof leaf === 'number' || typeof leaf === 'bigint'
    return isNumber && secrets.some((secret) => String(leaf).includes(secret)) ? mask : leaf
  }
  return mapJson(value, maskLeaf, (name, inner) => [
    maskText(name, secrets),
    secretName.test(name) ? maskAll(inner, secrets) : maskValue(inner, secrets),
  ])
}

/** Masks every text and number in a JSON value. Names and booleans stay readable. */
function maskAll(value: unknown, secrets: readonly string[]): unknown {
  const maskLeaf = (leaf: unknown) => (typeof leaf === 'boolean' || leaf === null ? leaf : mask)
  return mapJson(value, maskLeaf, (name, inner) => [maskText(name, secrets), maskAll(inner, secrets)])
}

/** Masks the given secrets in a JSON value, and nothing else. */
export function maskExactly(value: unknown, secrets: readonly string[]): unknown {
  const maskLeaf = (leaf: unknown) => (typeof leaf === 'string' ? maskSecrets(leaf, secrets) : leaf)
  return mapJson(value, maskLeaf, (name, inner) => [maskSecrets(name, secrets), maskExactly(inner, secrets)])
}

/** Masks the given secrets in a text, and nothing else. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((masked, secret) => masked.replaceAll(secret, mask), text)
}

export function maskHeaders(
  headers: Readonly<Record<string, string>>,
  secrets: readonly string[] = [],
): Record<string, string> {
  const masked: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    masked[name] = maskHeader(name.toLowerCase(), value, secrets)
  return masked
}

/** `name` is in lower case. The scheme of an Authorization header stays readable. */
export function maskHeader(name: string, value: string, secrets: readonly string[]): string {
  if (!secretHeaders.has(name)) return maskText(value, secrets)
  return value.startsWith('Token ') ? `Token ${mask}` : mask
}

/** Host, path without IDs, and query without values, so a trace contains no ID. */
export function maskUrl({ route, ...target }: Pick<WireRequest, 'origin' | 'path' | 'route'>): string {
  const url = urlOf(target)
  const shown = route
    .split('/')
    .slice(1)
    .map((part) => (part.startsWith('{') ? mask : part))
  const path = [...url.pathname.split('/').slice(0, -shown.length), ...shown].join('/')
  const names = [...url.searchParams.keys()].map((name) => `${name}=${mask}`)
  return `${url.origin}${path}${names.length === 0 ? '' : `?${names.join('&')}`}`
}
