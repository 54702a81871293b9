import { existsSync } from 'node:fs'
import type { Environment } from './io.ts'
import { mapJson } from './json.ts'
import { longestShown } from './text.ts'

export const mask = '***'

const secretName =
  /(?:token|jwt|secret|password|passwd|signature|credentials?|authorization|api[-_]?key|access[-_]?key|(?:^|[-_])(?:sig|auth|session))$/i
/** A JSON web token starts with ey or ew, because that is the base64 form of the start of a JSON object. */
const webToken = /(?<![\w-])e[yw][\w-]{8,}\.[\w-]{8}[\w.-]*/g
const parameter = /([?&;#])([\w.~%+-]+)=([^&;#\s"'<>]*)/g
/** Fast check: a text without a match needs no masking. */
const suspicious = /(?<![\w-])e[yw]|[?&;#]|:\/\/|%/
/** Characters of base64, base64url, and hex. */
const encodedRun = /[\w+/-]{8,}={0,2}/g
const userInfo = /(:\/\/)[^/?#\s"'<>@]+@/g

/** Masks the given secrets, everything that looks like a JSON web token, and credentials in URLs. */
export function maskText(encoded: string, secrets: readonly string[]): string {
  const text = maskEncoded(encoded, secrets)
  if (!suspicious.test(text) && !secrets.some((secret) => text.includes(secret))) return text
  let masked = maskSecrets(text, secrets)
  if (masked.includes('%'))
    for (const secret of secrets) masked = masked.replace(percentEncoded(secret), mask)
  return masked
    .replace(webToken, mask)
    .replace(userInfo, `$1${mask}@`)
    .replace(parameter, (whole, lead: string, name: string) =>
      secretName.test(name) ? `${lead}${name}=${mask}` : whole,
    )
}

/** Masks base64 and hex forms of a secret, because a gateway may repeat the headers of a request in such a form. */
function maskEncoded(text: string, secrets: readonly string[]): string {
  const containsSecret = (run: string) => {
    // Only longer secrets are searched, because decoded text could contain a short secret by chance.
    const possible = secrets.filter(({ length }) => length >= 8 && run.length * 3 >= length * 4)
    if (possible.length === 0) return false
    // The match may start with characters before the encoded text, so the text is decoded from each of the first four characters.
    const decoded = [0, 1, 2, 3].flatMap((start) =>
      (['base64', 'hex'] as const).map((encoding) =>
        Buffer.from(run.slice(start), encoding).toString('latin1'),
      ),
    )
    return decoded.some((plain) => possible.some((secret) => plain.includes(secret)))
  }
  return text.replace(encodedRun, (run) => (containsSecret(run) ? mask : run))
}

/** Matches a secret in which any characters are percent-encoded, because servers encode different characters. */
function percentEncoded(secret: string): RegExp {
  const bytes = Array.from(Buffer.from(secret), (byte) => byte.toString(16).padStart(2, '0'))
  return new RegExp(bytes.map((hex) => `(?:%${hex}|\\x${hex})`).join(''), 'gi')
}

/** Masks values in JSON that have a secret field name, look like a token, or are listed in `secrets`. */
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

/** Masks only the given secrets in a JSON value. */
export function maskExactly(value: unknown, secrets: readonly string[]): unknown {
  const maskLeaf = (leaf: unknown) => (typeof leaf === 'string' ? maskSecrets(leaf, secrets) : leaf)
  return mapJson(value, maskLeaf, (name, inner) => [maskSecrets(name, secrets), maskExactly(inner, secrets)])
}

/** Masks only the given secrets in a text. */
export function maskSecrets(text: string, secrets: readonly string[], shown = mask): string {
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

/** Matches words that are not hidden: a user ID, an email address, or a file name. */
const named =
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$|^[^!@]+@[^!@]+\.[a-z]{2,}$|\.(csv|tsv|jsonl?|ndjson|xlsx|gz|txt|png)$/i

/** The format of an API key (40 characters) and of an action token (a JSON web token). */
const secretForm = /^(?:[\w!.@-]{40}|ey[\w-]+\.[\w-]+\.[\w-]*)$/
/** Matches a key that was copied with missing or additional characters. */
const almostKey = /^[\w!.@-]{36,44}$/

const hidden = '(hidden: possible key or token)'
/** Words that cannot be a key: a name without digits and capitals, a number, and a hexadecimal number, such as an ID that is a hash. */
const noKey = /^(?:[a-z_-]+|[\dA-F]+|[\da-f]+)$/

/** Hides everything in a text that looks like a key or an action token. The text may contain cells of a file. */
export function hideKeysIn(text: string): string {
  if (text.length < 40 && !text.includes('ey')) return text
  const parts = keysIn(text.replace(/[.!]+(?=\s|$)/g, ' '))
  return maskSecrets(
    text,
    parts.filter((part) => !noKey.test(part) && !named.test(part)),
    hidden,
  )
}

/** The parts of a text that look like a key or an action token. */
export function keysIn(text: string): string[] {
  return partsOf(text).filter((part) => secretForm.test(part))
}

/** The parts of a text that may be a key or a file name. In `field=@file`, the file name follows the character @. */
function partsOf(text: string): string[] {
  return text.split(/[^\w!.@-]+/).flatMap((part) => [part, part.replace(/^@/, '')])
}

/**
 * Returns a function that hides words of the command line that may be a key or token in the wrong place. If `isUsage` is set, the error is
 * about an unknown word, so any long word may be a key. Values in the environment are hidden if they have the format of a key or token.
 */
export function hideKeys(
  argv: readonly string[],
  isUsage = false,
  env: Environment = {},
): (text: string) => string {
  // A key may start with a dash. A word such as --key may also be a key that was typed as a flag name.
  const words = argv.flatMap((word) => [word, word.replace(/^\W+/, '')])
  const isPossible = (part: string) =>
    !named.test(part) && (isUsage ? part.length > longestShown : almostKey.test(part))
  const secretsIn = (word: string) =>
    word.includes('://') || existsSync(word)
      ? keysIn(word)
      : [...keysIn(word), ...partsOf(word).filter(isPossible)]
  const values = Object.values(env).filter((value = '') => !existsSync(value))
  const secrets = [
    ...new Set([...words.flatMap(secretsIn), ...values.flatMap((value = '') => keysIn(value))]),
  ]
  return (text) => maskSecrets(text, secrets, hidden)
}

/**
 * The last line of a program's error text, without anything that looks like a key and without text that the program also printed to stdout.
 */
export function redactProgramText(stderr: string, stdout: string): string {
  const line = maskSecrets(stderr, [stdout.trim()]).trim().split('\n').at(-1) ?? ''
  return line
    .replace(/[\x00-\x1f\x7f-\x9f]/g, ' ')
    .replace(/[\w!.@+/=-]{20,}/g, mask)
    .slice(0, 200)
    .replace(/\.$/, '')
}
