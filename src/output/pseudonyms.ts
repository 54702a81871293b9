import { createHmac, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { FacescanError } from '../base/errors.ts'
import type { Environment, Io, Output } from '../base/io.ts'
import { mapJson } from '../base/json.ts'
import { orUndefined } from '../base/or-undefined.ts'
import { ensureSecret } from '../base/system/owner-file.ts'
import { requireDirectory, resolvePaths } from '../base/system/paths.ts'
import { literalPattern, writtenForms } from '../base/text/written-forms.ts'

/** Replaces the IDs, tokens and customer names in output with pseudonyms. A pseudonym is always the same on one machine. */
export interface Pseudonyms {
  /** Replaces the values of known fields in a result. */
  value<T>(value: T): T
  /** Replaces IDs, tokens, and random parts of URLs, recognized by their form, and all names that were learned. */
  text(text: string): string
  /** Remembers a name that has no recognizable form, such as an external user ID. */
  learn(kind: PseudonymKind, name: string): void
}

type PseudonymKind = 'id' | 'external' | 'customer' | 'token'

/** Fields in the replies of the service (spec 2) and in the reports of this tool. */
const kindsOfFields: Readonly<Record<string, PseudonymKind>> = {
  user_id: 'id',
  face_scan_id: 'id',
  health_scan_id: 'id',
  external_user_id: 'external',
  customer: 'customer',
  token: 'token',
  action_token: 'token',
}

const pseudonymPattern = /^(?:id|external|customer|token)-[0-9a-f]{8}$/
const tokenPattern = /eyJ[\w-]+\.[\w-]+\.[\w-]*/g
const idPattern = /(?<![0-9a-z])(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-z])/gi
/** A known field in JSON text. Quotes follow backslashes if the JSON text is inside a JSON string. */
const jsonFieldPattern = new RegExp(
  String.raw`((\\*)"(${Object.keys(kindsOfFields).join('|')})\2":\s*\2")(?!\2")(.+?)(?<!\\)(?=\2")`,
  'g',
)
/** URLs, and paths of the service without a host. Punctuation after a URL is not part of it. */
const urlPattern =
  /(\bhttps?:\/\/|(?<![\w/.-])(?=\/v\d+\/))([^\s"'`<>\\/?#]*)([^\s"'`<>\\\x00-\x1f\x7f]*[^\s"'`<>\\\x00-\x1f\x7f.,:;!?)\]}])?/gi
/** A parameter with its value, or a path segment. */
const partPattern = /([?&#;])([^=&#;]*)=([^&#;]*)|(?<=[/?&#;])[^/?&#;]+/g
/** Words and single digits, such as `v2`, `eu-west-1` and `index.html`. Seven consonants in a row are not a word. */
const wordsPattern = /^(?!.*[b-df-hj-np-tv-xz]{7})(?:(?:[A-Z]?[a-z]{1,19}|[A-Z]{1,5})?\d?(?:[-_.:/+ ]|$))+$/
const numberOrTimePattern = /^(?:\d{1,7}|\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?)$/
const secretParameter = /(?:id|key|code|token|secret|sig|signature|password|credential)$/i
/** Shorter names are replaced only in their fields and in queries. Elsewhere they could be part of a date or a number. */
const shortestInText = 4

type Rename = (kind: PseudonymKind, name: string) => string

/** `salt` is a secret of the machine. Without it, the pseudonym of a short ID could be found by trying all IDs. */
export function createPseudonyms(salt: string): Pseudonyms {
  const learned = new Map<string, { pattern: RegExp; pseudonym: string }>()
  const rename: Rename = (kind, name) => {
    if (pseudonymPattern.test(name)) return name
    const normal = kind === 'id' ? name.replaceAll('-', '').toLowerCase() : name
    const digest = createHmac('sha256', salt).update(`${kind}:${normal}`).digest('hex')
    return `${kind}-${digest.slice(0, 8)}`
  }
  const learn = (kind: PseudonymKind, name: string): void => {
    if (name.length < shortestInText || learned.has(name)) return
    const forms = writtenForms(name).map(literalPattern).join('|')
    const pattern = new RegExp(`(?<![\\w-])(?:${forms})(?![\\w-])`, 'g')
    learned.set(name, { pattern, pseudonym: rename(kind, name) })
  }
  const field = (name: string, value: unknown): unknown => {
    const kind = kindsOfFields[name]
    if (kind === undefined || typeof value !== 'string' || value === '') return walk(value)
    learn(kind, value)
    return rename(kind, value)
  }
  const walk = (value: unknown): unknown =>
    mapJson(
      value,
      (leaf) => leaf,
      (name, inner) => [name, field(name, inner)],
    )
  const text = (original: string): string => {
    let shown = renameByForm(original, rename)
    for (const { pattern, pseudonym } of learned.values()) shown = shown.replace(pattern, () => pseudonym)
    return renameInUrls(shown, rename)
  }
  return { value: <T>(value: T) => walk(value) as T, text, learn }
}

/** Replaces tokens, IDs, and the values of known fields. They are recognized by their form, so they need not be learned. */
function renameByForm(text: string, rename: Rename): string {
  return text
    .replace(tokenPattern, (token) => rename('token', token))
    .replace(idPattern, (id) => rename('id', id))
    .replace(jsonFieldPattern, (_, lead: string, backslashes: string, field: string, written: string) => {
      const name = readJsonText(backslashes === '' ? written : readJsonText(written))
      return lead + rename(kindsOfFields[field] ?? 'external', name)
    })
}

/** Signed URLs and unknown paths contain tokens and IDs, so only words, short numbers and times are shown. */
function renameInUrls(text: string, rename: Rename): string {
  return text.replace(urlPattern, (_, start: string, host: string, rest = '') => {
    const labels = host.replace(/[^.:@]+/g, (label) =>
      /^\d+$/.test(label) ? label : renameSegment(label, rename),
    )
    return start + labels + renameParts(rest, rename)
  })
}

function renameParts(rest: string, rename: Rename): string {
  return rest.replace(partPattern, (segment, lead?: string, name = '', value = '') => {
    if (lead === undefined) return renameSegment(segment, rename)
    const kind = kindsOfFields[name]
    if (kind !== undefined) return `${lead}${name}=${rename(kind, decodeQuery(value))}`
    const isShown = !secretParameter.test(name) && (numberOrTimePattern.test(value) || isWords(value))
    return `${lead}${name}=${isShown || value === '' ? value : rename('token', value)}`
  })
}

function renameSegment(segment: string, rename: Rename): string {
  return isWords(segment) ? segment : rename('token', segment)
}

function isWords(part: string): boolean {
  return wordsPattern.test(decodeQuery(part)) && !/^\d+$/.test(part)
}

function decodeQuery(written: string): string {
  return new URLSearchParams(`=${written}`).get('') ?? written
}

/** In a shell command, an apostrophe is outside of the quotes. */
function readJsonText(written: string): string {
  return orUndefined(() => String(JSON.parse(`"${written.replaceAll("'\\''", "'")}"`))) ?? written
}

/** The salt is created once and kept in the state directory. Without it, pseudonyms are the same only within one command. */
export async function openPseudonyms(env: Environment): Promise<Pseudonyms> {
  const findSalt = async () =>
    ensureSecret(join(requireDirectory(resolvePaths(env), 'state'), 'pseudonyms.salt'), 'pseudonyms', 16)
  const salt = await findSalt().catch((error: unknown) => {
    if (error instanceof FacescanError) return randomBytes(16).toString('hex')
    throw error
  })
  return createPseudonyms(salt)
}

/** Streams that replace names in all text with pseudonyms. Bytes are images and stay unchanged. */
export function coverStreams(io: Io, pseudonyms: Pseudonyms): Io {
  const { stdin, stdout, stderr } = io
  return { stdin, stdout: cover(stdout, pseudonyms), stderr: cover(stderr, pseudonyms) }
}

function cover(stream: Output, pseudonyms: Pseudonyms): Output {
  return new Proxy(stream, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      if (name !== 'write' && name !== 'end') return member.bind(target)
      return (chunk: unknown, ...rest: unknown[]) =>
        member.call(target, typeof chunk === 'string' ? pseudonyms.text(chunk) : chunk, ...rest)
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  })
}
