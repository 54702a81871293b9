import { createHmac } from 'node:crypto'
import { literalPattern, writtenForms } from '../../base/text/written-forms.ts'
import { renameOpaqueParts } from './opaque-parts.ts'

/** Replaces the ids, tokens and customer names in output with pseudonyms. A pseudonym is always the same on one machine. */
export interface Pseudonyms {
  /** Replaces the names in a result, recognized by the names of fields and by the form of texts. */
  value<T>(value: T): T
  /** Replaces ids, tokens, and random parts of URLs, recognized by their form, and all names that were learned. */
  text(text: string): string
  /** Remembers a name that has no recognizable form, such as an external user id. */
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

const tokenPattern = /eyJ[\w-]+\.[\w-]+\.[\w-]*/g
const idPattern = /(?<![0-9a-z])(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-z])/gi
/** An external id in the query of a URL that is not a pseudonym yet. */
const queryIdPattern = /(?<=external_user_id=)(?!\w+-[0-9a-f]{8}(?![\w%+-]))[^&\s"'<>]+/g
/** The same fields in JSON text, and in JSON text inside a JSON string. */
const jsonFields = [
  { pattern: jsonField('"', String.raw`\\.|[^"\\]`), read: readJsonText },
  {
    pattern: jsonField(String.raw`\\"`, String.raw`\\\\(?:\\.|[^\\])|[^"\\]`),
    read: (written: string) => readJsonText(readJsonText(written)),
  },
]
/** Shorter names are replaced only in their fields and in queries. Elsewhere they could be part of a date or a number. */
const shortestInText = 4

/** The pseudonym of a name. */
type Rename = (kind: PseudonymKind, name: string) => string

interface Learned {
  pattern: RegExp
  replacement: string
}

/** `salt` is a secret of the machine. Without it, the pseudonym of a short id could be found by trying all ids. */
export function createPseudonyms(salt: string): Pseudonyms {
  const learned = new Map<string, Learned>()
  const rename: Rename = (kind, name) => {
    const normal = kind === 'id' ? name.replaceAll('-', '').toLowerCase() : name
    const digest = createHmac('sha256', salt).update(`${kind}:${normal}`).digest('hex')
    return `${kind}-${digest.slice(0, 8)}`
  }
  const learn = (kind: PseudonymKind, name: string): void => {
    if (name.length < shortestInText || learned.has(name)) return
    learned.set(name, { pattern: patternOf(name), replacement: rename(kind, name) })
  }
  const text = (original: string): string => {
    const known = [...learned.values()].reduce(
      (current, { pattern, replacement }) => current.replace(pattern, () => replacement),
      renameInText(original, rename),
    )
    return renameOpaqueParts(known, rename)
  }
  const field = (name: string, value: unknown): unknown => {
    const kind = kindsOfFields[name]
    if (kind === undefined || typeof value !== 'string' || value === '') return walk(value)
    learn(kind, value)
    return rename(kind, value)
  }
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return value.map(walk)
    if (!isPlain(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, field(name, inner)]))
  }
  return { value: <T>(value: T) => walk(value) as T, text, learn }
}

/** Replaces tokens, IDs, and the values of known fields. They are recognized by their form, so they need not be learned. */
function renameInText(original: string, rename: Rename): string {
  const text = original
    .replace(tokenPattern, (token) => rename('token', token))
    .replace(idPattern, (id) => rename('id', id))
    .replace(queryIdPattern, (written) => rename('external', readQueryValue(written)))
  return jsonFields.reduce(
    (current, { pattern, read }) =>
      current.replace(pattern, (written, name: string) =>
        rename(kindsOfFields[name] ?? 'external', read(written)),
      ),
    text,
  )
}

/** Matches the name as a complete word. */
function patternOf(name: string): RegExp {
  return new RegExp(`(?<![\\w-])(?:${writtenForms(name).map(literalPattern).join('|')})(?![\\w-])`, 'g')
}

function readQueryValue(written: string): string {
  return new URLSearchParams(`=${written}`).get('') ?? written
}

function jsonField(mark: string, character: string): RegExp {
  const lead = `${mark}(${Object.keys(kindsOfFields).join('|')})${mark}:\\s*${mark}`
  return new RegExp(`(?<=${lead})(?!\\w+-[0-9a-f]{8}${mark})(?:${character})+(?=${mark})`, 'g')
}

/** In a shell command, an apostrophe is outside of the quotes. */
function readJsonText(written: string): string {
  try {
    return String(JSON.parse(`"${written.replaceAll("'\\''", "'")}"`))
  } catch {
    return written
  }
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
