import { existsSync } from 'node:fs'
import type { Environment } from './io.ts'
import { mapJson } from './json.ts'
import { literalPattern, longestShown } from './text.ts'

export const mask = '***'

const secretName =
  /(?:token|jwt|secret|password|passwd|signature|credentials?|authorization|api[-_]?key|access[-_]?key|(?:^|[-_])(?:sig|auth|session))$/i
/** Matches a JSON web token. It starts with ey or ew, the base64 form of the start of a JSON object. */
const webToken = /(?<![\w-])e[yw][\w-]{8,}\.[\w-]{8}[\w.-]*/g
const parameter = /([?&;#])([\w.~%+-]+)=([^&;#\s"'<>]*)/g
/** Fast check: if a text does not match, it contains no web token, parameter, or URL. */
const suspicious = /(?<![\w-])e[yw]|[?&;#]|:\/\//
const userInfo = /(:\/\/)[^/?#\s"'<>@]+@/g

/** Masks the given secrets in every form, everything that looks like a JSON web token, and credentials in URLs. */
export function maskText(text: string, secrets: readonly string[]): string {
  const masked = maskForms(text, secrets)
  if (!suspicious.test(masked)) return masked
  return masked
    .replace(webToken, mask)
    .replace(userInfo, `$1${mask}@`)
    .replace(parameter, (whole, lead: string, name: string) =>
      secretName.test(name) ? `${lead}${name}=${mask}` : whole,
    )
}

/** Masks the given secrets, also in percent-encoded, hex, or base64 form, as in an error page that shows the headers of a request. */
export function maskForms(text: string, secrets: readonly string[]): string {
  const possible = secrets.filter(({ length }) => length > 0 && Math.min(length, partLength) <= text.length)
  return possible.reduce((before, secret) => {
    const { plain, starts, encoded, parts } = formsOf(secret)
    // V8 needs milliseconds to compile the pattern of all forms. A short pattern first finds texts that can contain such a form.
    const isEncoded = starts && before.search(starts) >= 0
    const whole = isEncoded ? new RegExp(`${plain.source}|${encodedPattern(encoded).source}`, 'gi') : plain
    // A text that is shorter than the secret can contain only a part of the secret.
    let masked = before.length < secret.length ? before : before.replace(whole, mask)
    const lowerText = masked.toLowerCase()
    for (const part of parts.filter((one) => lowerText.includes(one)))
      masked = masked.replace(new RegExp(`[\\w!.@-]{0,23}${literalPattern(part)}[\\w!.@-]*`, 'gi'), mask)
    return masked
  }, text)
}

interface Forms {
  /** Matches the secret in upper and lower case, plain or percent-encoded. */
  plain: RegExp
  /** Hex, and the base64 forms after 0, 1, and 2 other bytes. */
  encoded: readonly string[]
  /** Matches the start of an encoded form. Undefined for a short secret, because other text can contain its encoded forms by chance. */
  starts: RegExp | undefined
  /** Parts in lower case. A key that a server has shortened to 23 or more characters contains one of them. */
  parts: readonly string[]
}

const knownForms = new Map<string, Forms>()
/** Matches what a server may add inside a secret when it wraps or colors a text: color codes, spaces, and other characters. */
const gap = '(?:[\\x1b\\x9b]\\[?[\\d;:]*[mK]|[^!-~])*'
const partLength = 16
const step = 8

function formsOf(secret: string): Forms {
  const known = knownForms.get(secret)
  if (known) return known
  const isShort = secret.length < step
  const bytes = Buffer.from(secret).toString('hex').match(/../g) ?? []
  // Servers percent-encode different characters, and some servers encode twice.
  const characters = bytes.map((hex) => `(?:\\x${hex}|%(?:25)*${hex})`)
  // The first and last characters of a base64 form can also encode the neighboring bytes, so they are omitted.
  const base64 = [0, 2, 3].map((start, count) => {
    const text = Buffer.from('-'.repeat(count) + secret).toString('base64')
    return text.replace(/.?=+$/, '').slice(start)
  })
  const encoded = [bytes.join(''), ...base64]
  // A secret of more than 64 characters is a token. All tokens start with the same characters, so the start is not searched.
  const partCount = secret.length > 64 ? 0 : Math.max(0, Math.floor(secret.length / step) - 1)
  const forms = {
    plain: new RegExp(characters.join(isShort ? '' : gap), 'gi'),
    encoded,
    starts: isShort ? undefined : encodedPattern(encoded.map((form) => form.slice(0, step))),
    parts: Array.from({ length: partCount }, (_, index) =>
      secret.slice(index * step, index * step + partLength).toLowerCase(),
    ),
  }
  knownForms.set(secret, forms)
  return forms
}

/** Matches the encoded forms of a secret, also with separators, and the base64 characters of the neighboring bytes. */
function encodedPattern(encoded: readonly string[]): RegExp {
  const [hex, base64, ...shifted] = encoded.map((form) =>
    Array.from(form, (one) => ({ '+': '[+-]', '/': '[/_]' })[one] ?? one).join('[\\s:]*'),
  )
  return new RegExp(`(?:${hex}|${base64}|[\\w+/-](?:${shifted.join('|')}))[\\w+/-]*={0,2}`, 'gi')
}

/** Masks values in JSON: values with a secret field name, values that look like a token, and the given secrets. */
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

export function maskExactly(value: unknown, secrets: readonly string[]): unknown {
  const maskLeaf = (leaf: unknown) => (typeof leaf === 'string' ? maskForms(leaf, secrets) : leaf)
  return mapJson(value, maskLeaf, (name, inner) => [maskForms(name, secrets), maskExactly(inner, secrets)])
}

/** Masks the given secrets in a text, but not their encoded forms, such as base64. */
function maskSecrets(text: string, secrets: readonly string[], shown = mask): string {
  return secrets.filter(Boolean).reduce((masked, secret) => masked.replaceAll(secret, shown), text)
}

const secretHeaders: ReadonlySet<string> = new Set([
  'x-api-key',
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
])

/** Masks the value of a credential header. `name` is in lower case. The scheme of an Authorization header is not masked. */
export function maskHeader(name: string, value: string, secrets: readonly string[]): string {
  if (!secretHeaders.has(name)) return maskText(value, secrets)
  return value.startsWith('Token ') ? `Token ${mask}` : mask
}

/** Matches words that are shown although they are long: a user ID, an email address, or a file name. */
const named =
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$|^[^!@]+@[^!@]+\.[a-z]{2,}$|\.(csv|tsv|jsonl?|ndjson|ya?ml|xlsx|gz|txt|png)$/i

/** The format of an API key (40 characters) and of an action token (a JSON web token). */
const secretForm = /^(?:[\w!.@-]{40}|ey[\w-]+\.[\w-]+\.[\w-]*)$/
/** Matches a key that was copied with missing or additional characters. */
const almostKey = /^[\w!.@-]{36,44}$/

const hidden = '(hidden: possible key or token)'
/** Matches words that cannot be a key: lowercase words, numbers, and hexadecimal numbers (such as a hash). */
const noKey = /^(?:[a-z_-]+|[\dA-F]+|[\da-f]+)$/

/** Hides each part of a text that looks like a key or an action token. The text may contain cells of a file. */
export function hideKeysIn(text: string): string {
  if (text.length < 40 && !text.includes('ey')) return text
  const parts = keysIn(text.replace(/(?<![.!])[.!]+(?=\s|$)/g, ' '))
  return maskSecrets(
    text,
    parts.filter((part) => !noKey.test(part) && !named.test(part)),
    hidden,
  )
}

/** The parts of a text that look like an API key or an action token. */
export function keysIn(text: string): string[] {
  return partsOf(text).filter((part) => secretForm.test(part))
}

/** Parts of a text, each of which may be a key or a file name. In `field=@file`, the file name starts after @. */
function partsOf(text: string): string[] {
  return text.split(/[^\w!.@-]+/).flatMap((part) => [part, part.replace(/^@/, '')])
}

/**
 * Returns a function that hides keys and tokens that were typed in a wrong place of the command line. If `isUsage` is set, the error is
 * about an unknown word, so any long word is hidden. Also hides values of the environment that look like a key or token.
 */
export function hideKeys(
  argv: readonly string[],
  isUsage = false,
  env: Environment = {},
): (text: string) => string {
  const isPossible = (part: string) =>
    !named.test(part) && (isUsage ? part.length > longestShown : almostKey.test(part))
  const secretsIn = (word: string) =>
    word.includes('://') ? keysIn(word) : [...keysIn(word), ...partsOf(word).filter(isPossible)]
  // A key can start with a dash, and a key that was typed as a flag name has additional dashes. Each word is therefore searched with and
  // without the symbols at its start.
  const words = argv.flatMap((word) =>
    existsSync(word)
      ? keysIn(word).filter((part) => !named.test(part))
      : [word, word.replace(/^\W+/, '')].flatMap(secretsIn),
  )
  const values = Object.values(env).filter((value = '') => !existsSync(value))
  const secrets = [...new Set([...words, ...values.flatMap((value = '') => keysIn(value))])]
  return (text) => maskSecrets(text, secrets, hidden)
}

/** The last line of a program's error text, without possible keys, and without text that is also in its output. */
export function redactProgramText(stderr: string, stdout: string): string {
  const line = maskSecrets(stderr, [stdout.trim()]).trim().split('\n').at(-1) ?? ''
  return line
    .replace(/[\x00-\x1f\x7f-\x9f]/g, ' ')
    .replace(/[\w!.@+/=-]{20,}/g, mask)
    .slice(0, 200)
    .replace(/\.$/, '')
}
