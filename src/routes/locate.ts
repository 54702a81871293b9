import { UsageError } from '../base/errors.ts'
import { nearest } from '../base/nearest.ts'
import { showWord } from '../base/text.ts'
import { type Branch, type Leaf, nouns } from './routes.ts'

export type Located =
  | { kind: 'command'; name: string; leaf: Leaf }
  | { kind: 'branch'; name: string; branch: Branch }
  | { kind: 'root'; name: '' }

/** Command names from other command-line tools, and the command of facescan to suggest instead. */
const otherNouns: Readonly<Record<string, string>> = {
  init: 'profiles add',
  login: 'profiles add',
  logout: 'profiles remove',
  auth: 'profiles',
  config: 'profiles',
  configure: 'profiles add',
  whoami: 'status',
  audit: 'history',
  log: 'history',
  logs: 'history',
  request: 'api',
  version: '--version',
  user: 'users',
  link: 'scan-url',
  show: 'overview',
  delete: 'users delete',
  create: 'users create',
  get: 'users get',
  find: 'users get',
  update: 'users update',
  import: 'answers import',
  resume: 'imports resume',
  scans: 'biomarkers list',
  tour: 'demo',
}

/** Commands that users expect, but for which the service has no endpoint. */
const impossible: readonly string[] = ['users list', 'users find', 'users search']
const similarVerbs = [
  ['get', 'show', 'view', 'describe', 'list'],
  ['create', 'add', 'new'],
  ['delete', 'remove', 'rm'],
  ['update', 'set', 'edit'],
  ['use', 'switch', 'select'],
]

/** The command at the start of words without flags. Undefined if the first words are neither a command nor a group. */
export function findCommand([noun, verb]: readonly string[]): Located | undefined {
  if (noun === undefined) return { kind: 'root', name: '' }
  const node = own(nouns, noun)
  if (node === undefined) return undefined
  if (!('verbs' in node)) return { kind: 'command', name: noun, leaf: node }
  if (verb === undefined) return { kind: 'branch', name: noun, branch: node }
  const leaf = own(node.verbs, verb)
  return leaf && { kind: 'command', name: `${noun} ${verb}`, leaf }
}

/** Like `findCommand`, but throws UsageError with a suggestion for an unknown command. */
export function locate(words: readonly string[]): Located {
  const found = findCommand(words)
  if (found) return found
  const [noun = '', verb = ''] = words
  const node = own(nouns, noun)
  if (node === undefined || !('verbs' in node)) throw unknown('facescan', noun, Object.keys(nouns))
  throw unknown(`facescan ${noun}`, verb, Object.keys(node.verbs))
}

function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

function unknown(parent: string, given: string, known: readonly string[]): UsageError {
  const [program, ...path] = parent.split(' ')
  const name = [...path, given].join(' ')
  const replacement = findReplacement(name)
  if (replacement !== undefined) return new UsageError(`${name} was removed`, { hint: replacement })
  if (impossible.includes(name)) {
    return new UsageError(`${name} is not possible: the service cannot list or search users`, {
      hint: 'Look up one user by ID: facescan users get --help',
    })
  }
  const verbs = similarVerbs.find((group) => group.includes(given)) ?? []
  const other = path.length === 0 ? own(otherNouns, given) : verbs.find((verb) => known.includes(verb))
  const meant = other ?? nearest(given, known)
  const suggestion = meant ? `; did you mean "${[program, ...path, meant].join(' ')}"?` : ''
  return new UsageError(`unknown command ${showWord(name)}${suggestion}`, {
    hint: `See: ${parent} --help`,
  })
}

/** Removed commands and flags of earlier versions with their replacements. */
const removed: Readonly<Record<string, string>> = {
  'history verify':
    'Show the log: facescan history list. To keep a log that its owner cannot change, see: facescan profiles set --help',
  '--redact': 'Print only fields without personal data, such as --json=language.',
  '--har': 'Use --debug to trace requests, or --curl to show each request as a curl command.',
}

/** The replacement for a removed command (`history verify`) or flag (`--har`). */
export function findReplacement(name: string): string | undefined {
  return Object.hasOwn(removed, name) ? removed[name] : undefined
}
