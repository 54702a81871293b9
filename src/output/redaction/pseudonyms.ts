import { createHmac } from 'node:crypto'
import { literalPattern, writtenForms } from '../../base/text/written-forms.ts'

/** Replaces what names a person, a customer or a credential by a pseudonym that is the same every time on this machine. */
export interface Pseudonyms {
  /** A result, by the names of its fields and by what its texts look like. */
  value<T>(value: T): T
  /** Any text: ids and tokens by their looks, and every name that was seen before. */
  text(text: string): string
  /** Remembers a name that texts cannot be searched for by its looks, such as an external user id. */
  learn(kind: PseudonymKind, name: string): void
}

type PseudonymKind = 'id' | 'external' | 'customer' | 'token'

/** Fields of the service's replies and of the tool's own reports (specification, section 2). */
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
/** What is written for an external id in the query of a URL, and is no pseudonym yet. */
const queryIdPattern = /(?<=external_user_id=)(?!\w+-[0-9a-f]{8}(?![\w%+-]))[^&\s"'<>]+/g
/** The same in a field of a JSON text, and of one within a text of another: how it ends, what it consists of, and how it is read. */
const jsonFields = [
  { pattern: jsonField('"', String.raw`\\.|[^"\\]`), read: readJsonText },
  {
    pattern: jsonField(String.raw`\\"`, String.raw`\\\\(?:\\.|[^\\])|[^"\\]`),
    read: (written: string) => readJsonText(readJsonText(written)),
  },
]
/** Names shorter than this are replaced in their own fields and in queries only: anywhere else they would hit dates and numbers. */
const shortestInText = 4

export function createPseudonyms(salt: string): Pseudonyms {
  const learned = new Map<string, { pattern: RegExp; replacement: string }>()

  const pseudonym = (kind: PseudonymKind, name: string): string => {
    const normal = kind === 'id' ? name.replaceAll('-', '').toLowerCase() : name
    const digest = createHmac('sha256', salt).update(`${kind}:${normal}`).digest('hex')
    return `${kind}-${digest.slice(0, 8)}`
  }
  const learn = (kind: PseudonymKind, name: string): void => {
    if (name.length < shortestInText || learned.has(name)) return
    learned.set(name, { pattern: patternOf(name), replacement: pseudonym(kind, name) })
  }
  const text = (original: string): string => {
    const safe = original
      .replace(tokenPattern, (token) => pseudonym('token', token))
      .replace(idPattern, (id) => pseudonym('id', id))
      .replace(queryIdPattern, (written) => pseudonym('external', readQueryValue(written)))
    const withoutFields = jsonFields.reduce(
      (current, { pattern, read }) =>
        current.replace(pattern, (written, name: string) =>
          pseudonym(kindsOfFields[name] ?? 'external', read(written)),
        ),
      safe,
    )
    return [...learned.values()].reduce(
      (current, { pattern, replacement }) => current.replace(pattern, () => replacement),
      withoutFields,
    )
  }
  const field = (name: string, value: unknown): unknown => {
    const kind = kindsOfFields[name]
    if (kind === undefined || typeof value !== 'string' || value === '') return walk(value)
    learn(kind, value)
    return pseudonym(kind, value)
  }
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return value.map(walk)
    if (!isPlain(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, field(name, inner)]))
  }
  return { value: <T>(value: T) => walk(value) as T, text, learn }
}

/** Only where the name stands by itself: part of a longer word is another word. */
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

/** A shell writes an apostrophe outside of its quotes. */
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
