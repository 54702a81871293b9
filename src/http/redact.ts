import { urlOf, type WireRequest } from './wire.ts'

/** What stands in place of a credential wherever a request or reply is shown. */
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
/** The first part of a JSON web token is base64 of an object, so that it begins with ey or ew. */
const webToken = /(?<![\w-])e[yw][\w-]{8,}\.[\w-]{8}[\w.-]*/g
const parameter = /([?&;#])([\w.~%+-]+)=([^&;#\s"'<>]*)/g
/** What any of the patterns, or a percent-encoded secret, needs: most texts have none of it. */
const suspicious = /(?<![\w-])e[yw]|[?&;#]|:\/\/|%/
const userInfo = /(:\/\/)[^/?#\s"'<>@]+@/g

/** The credential that a request carries, to be masked wherever it comes back. */
export function secretsOf({ headers }: Pick<WireRequest, 'headers'>): string[] {
  const key = headers['x-api-key']
  const token = headers['authorization']?.replace(/^Token /, '')
  return [key, token].filter((secret) => secret !== undefined && secret !== '') as string[]
}

/** Masks in a text the given secrets, anything that looks like a JSON web token, and what a URL carries for a credential. */
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

/** A secret with any of its characters percent-encoded: servers differ in which ones they leave alone. */
function percentEncoded(secret: string): RegExp {
  const bytes = Array.from(Buffer.from(secret), (byte) => byte.toString(16).padStart(2, '0'))
  return new RegExp(bytes.map((hex) => `(?:%${hex}|\\x${hex})`).join(''), 'gi')
}

/** The same JSON value with every secret in it masked: by its name, by what it looks like, or because it is one of `secrets`. */
export function maskValue(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return maskText(value, secrets)
  if (typeof value === 'number' || typeof value === 'bigint')
    return secrets.some((secret) => String(value).includes(secret)) ? mask : value
  if (Array.isArray(value)) return value.map((item) => maskValue(item, secrets))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      maskText(name, secrets),
      secretName.test(name) ? maskAll(inner, secrets) : maskValue(inner, secrets),
    ]),
  )
}

/** The same shape with nothing left to read but flags and names. */
export function maskAll(value: unknown, secrets: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => maskAll(item, secrets))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [maskText(name, secrets), maskAll(inner, secrets)]),
    )
  }
  return typeof value === 'boolean' || value === null ? value : mask
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

/** Host and path without any id, and the names of the query without its values, so that no id reaches a trace. */
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
