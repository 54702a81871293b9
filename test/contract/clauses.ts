import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpointClauses, replyClauses } from './specification.ts'

const readme = 'src/contract/README.md'

/** The sections of the specification with their headings, from the README of the contract. */
export function readSections(): Map<string, string> {
  const headings = readFileSync(readme, 'utf8').matchAll(/^#+ (\d[\d.a]*) (.*)/gm)
  return new Map([...headings].map(([, section = '', heading = '']) => [section, heading]))
}

export interface Clause {
  /** Section and number of a clause, such as `4.3:2`. */
  id: string
  section: string
  text: string
}

/** The numbered clauses of the specification, from the README of the contract. */
export function readClauses(): Clause[] {
  const clauses: Clause[] = []
  let section = ''
  for (const line of readFileSync(readme, 'utf8').split('\n')) {
    section = /^#+ (\d[\d.a]*) /.exec(line)?.[1] ?? section
    const [, number, text = ''] = /^(\d+)\. (.*)/.exec(line) ?? []
    const last = clauses.at(-1)
    if (number && section) clauses.push({ id: `${section}:${number}`, section, text })
    else if (/^ {3,4}\S/.test(line) && last) last.text += ` ${line.trim()}`
  }
  return clauses
}

export interface Citation {
  /** Section and number of the cited clause. A range such as `4.3:2-5` is split into one citation for each clause. */
  id: string
  path: string
  title: string
}

const comment = /^ *\/\/ (spec [\d.a]+:.*)$/gm
const testCall = /^ *(?:it|test)((?:\.\w+)*)(?:<.*>)?\(/m

/** The clauses that tests cite in a comment above the test, such as `// spec 4.3:2-5, 5:1`. */
export function readCitations(): Citation[] {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') || name.endsWith('.check.ts'))
    .toSorted()
    .flatMap((name) => citationsIn(join('test', name)))
}

function citationsIn(path: string): Citation[] {
  const source = readFileSync(path, 'utf8')
  return [...source.matchAll(comment)].flatMap(({ 1: cited = '', index }) => {
    const title = titleAfter(source.slice(index))
    return expand(cited.replace('spec ', '')).map((id) => ({ id, path, title }))
  })
}

/** The title of the next test: the first text in `test(…)`. For `test.each(…)(…)`, the first text after the table. */
function titleAfter(source: string): string {
  const call = testCall.exec(source)
  const rest = source.slice(call?.index)
  const opening = call?.[1] ? /\)\(\s*(['"`])(.+?)\1/s : /\(\s*(['"`])(.+?)\1/s
  return opening.exec(rest)?.[2] ?? ''
}

/** The IDs of all clauses in a citation such as `4.3:2-5, 5:1`. */
function expand(cited: string): string[] {
  return cited.split(/, */).flatMap((part) => {
    const [section, numbers = ''] = part.trim().split(':')
    const [first = 0, last = first] = numbers.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, index) => `${section}:${first + index}`)
  })
}

const credentialTexts = {
  key: 'accepts an API key and returns 403 for an action token',
  token: 'accepts an action token and returns 403 for an API key',
  both: 'accepts an API key or an action token',
  none: 'needs no credential',
}

/** The clauses about each endpoint: what it returns, which credentials it accepts, and what it returns without a credential. */
export const endpointRows = Object.entries(endpointClauses).flatMap(([name, clauses]) => {
  const { section, call, status, reply, accepts } = clauses
  const texts = {
    reply: `returns ${status} with ${reply}`,
    credentials: credentialTexts[accepts],
    ...(accepts !== 'none' && { refusal: 'returns 401 with a detail if the credential is missing' }),
  }
  return Object.entries(texts).map(([check, text]) => ({ section, name, check, title: `${call} ${text}` }))
})

/** One clause for each parameter of each endpoint. */
export const parameterRows = Object.entries(endpointClauses).flatMap(
  ([name, { section, call, parameters = {} }]) =>
    Object.entries(parameters).map(([parameter, text]) => {
      const [, kind, value = ''] = /^(required|alternative)? ?(.*)/.exec(text) ?? []
      const title = `${call}: ${parameter.replace(' ', ' parameter ')} (${kind ?? 'optional'} ${value})`
      const [isRequired, isAlternative] = [kind === 'required', kind === 'alternative']
      return { section, name, parameter, value, isRequired, isAlternative, title }
    }),
)

/** One clause for each field in the response of each endpoint. */
export const fieldRows = replyClauses.flatMap(({ section, endpoints, fields }) =>
  endpoints.flatMap((name) =>
    Object.entries(fields).map(([field, text]) => {
      const [value = '', ...marks] = text.split(', ')
      const title = `${endpointClauses[name]?.call}: response field ${field.replaceAll(/\b\d\b/g, '[]')} (${text})`
      const [isOptional, isNullable] = [marks.includes('optional'), marks.includes('nullable')]
      return { section, name, path: field.split('.'), value, isOptional, isNullable, title }
    }),
  ),
)
