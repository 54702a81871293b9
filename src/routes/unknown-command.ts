import { UsageError } from '../base/errors.ts'
import { own } from '../base/functions.ts'
import { nearest } from '../base/nearest.ts'
import { isLink, showWord } from '../base/text.ts'
import { expiryOf } from '../http/expiry.ts'
import { findCommand, type Located, nouns } from './routes.ts'

/** Command names from other command-line tools, and the command of facescan to suggest for each name. */
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
  links: 'scan-url',
  scan: 'scan-url',
  show: 'overview',
  export: 'overview',
  delete: 'users delete',
  remove: 'users delete',
  create: 'users create',
  get: 'users get',
  find: 'users get',
  update: 'users update',
  import: 'answers import',
  resume: 'imports resume',
  scans: 'biomarkers list',
  chart: 'biomarkers list',
  graph: 'biomarkers list',
  questions: 'answers list',
  tour: 'demo',
}

/** The command to suggest if an ID was typed instead of a command name, by the group before the ID. */
const commandsForId: Readonly<Record<string, string>> = {
  '': 'overview',
  users: 'users get',
  biomarkers: 'biomarkers list',
  answers: 'answers list',
  history: 'history list --external-user-id',
}

export function isLikelyId(word: string): boolean {
  return /^(?=.*\d)\w[\w.-]{0,31}$/.test(word)
}

interface Impossible {
  reason: string
  hint: string
  /** Whether the command in the hint contains the user ID that the user typed. */
  forUser?: boolean
}

const cannotList: Impossible = {
  reason: 'the service cannot list or search users',
  hint: 'Look up one user by ID: facescan users get',
  forUser: true,
}
const cannotDelete: Impossible = {
  reason: 'the service cannot delete answers',
  hint: 'To correct an answer, save it again: facescan answers save',
}

/** Commands that people expect, but that the service does not support. */
const impossible: Readonly<Record<string, Impossible>> = {
  'users list': cannotList,
  'users find': cannotList,
  'users search': cannotList,
  'answers delete': cannotDelete,
  'answers remove': cannotDelete,
}
const similarVerbs = [
  ['get', 'show', 'view', 'describe', 'list'],
  ['create', 'add', 'new'],
  ['delete', 'remove', 'rm'],
  ['update', 'set', 'edit'],
  ['use', 'switch', 'select'],
  ['export', 'list', 'get'],
  ['save', 'update', 'set', 'edit', 'add'],
]

/** Like `findCommand`, but throws UsageError for an unknown command. */
export function locate(words: readonly string[]): Located {
  const found = findCommand(words)
  if (found === undefined) throw unknownCommand(words)
  return found
}

/** The word that is not a command, the group before this word if it is known, and the command that was probably meant. */
function findUnknown([noun = '', verb = '']: readonly string[]) {
  const node = own(nouns, noun)
  if (node === undefined || !('verbs' in node)) return { path: [], given: noun, meant: findNoun(noun) }
  const meant = findVerb(verb, Object.keys(node.verbs))
  return { path: [noun], given: verb, meant: meant ? `${noun} ${meant}` : knownNoun(verb) }
}

function knownNoun(word: string): string | undefined {
  return own(nouns, word) ? word : own(otherNouns, word)
}

/** The command for an unknown first word. If the word is a verb that only one group has, such as `compare`, the group is found from it. */
function findNoun(given: string): string | undefined {
  // The verbs of the deprecated widgets are similar to other commands: metric and biomarker mean metrics and biomarkers.
  const { widgets: _, ...others } = nouns
  const groups = Object.entries(others).filter(([, node]) => 'verbs' in node && own(node.verbs, given))
  const [group] = groups.map(([noun]) => `${noun} ${given}`)
  return knownNoun(given) ?? (groups.length === 1 ? group : undefined) ?? nearest(given, Object.keys(nouns))
}

function findVerb(given: string, known: readonly string[]): string | undefined {
  const verbs = similarVerbs.filter((group) => group.includes(given)).flat()
  return verbs.find((verb) => known.includes(verb)) ?? nearest(given, known)
}

/** The error for a link instead of a user ID. The text does not contain the link, because it gives access to the user. */
export function refuseLink(link: string): UsageError {
  const expiresAt = expiryOf(link)
  const lifetime = expiresAt === undefined ? '' : ` (valid until ${expiresAt})`
  return new UsageError(`"${link.slice(0, link.indexOf('//') + 2)}…" is a link${lifetime}, not a user ID`, {
    hint: 'New link: facescan scan-url ID (for a dashboard: facescan dashboard-url ID)',
  })
}

/** The error for words that are not a command. `corrected` is the command line that was probably meant. */
export function unknownCommand(words: readonly string[], corrected?: string): UsageError {
  const { path, given, meant } = findUnknown(words)
  if (isLink(given)) return refuseLink(given)
  const parent = ['facescan', ...path].join(' ')
  const name = [...path, given].join(' ')
  const replacement = findReplacement(name)
  if (replacement !== undefined) return new UsageError(`${name} was removed`, { hint: replacement })
  const { reason, hint, forUser = false } = own(impossible, name) ?? {}
  if (reason !== undefined) {
    const [id = ''] = words.slice(path.length + 1)
    return new UsageError(`${name} is not possible: ${reason}`, {
      hint: `${hint} ${forUser && isLikelyId(id) ? id : '--help'}`,
    })
  }
  const suggestion = meant ? `; did you mean "facescan ${meant}"?` : ''
  const shown = !meant && isLikelyId(given) ? own(commandsForId, path.join('')) : undefined
  const next = shown ? `Run: facescan ${shown} ${given}` : `See: ${parent} --help`
  return new UsageError(`unknown command ${showWord(name)}${suggestion}`, {
    hint: corrected === undefined ? next : `Run: ${corrected}`,
  })
}

/** The probable command: `metrics 4711` for `metrisc 4711` and for `4711 metrics`. Undefined if the line has no other words. */
export function correctWords(words: readonly string[]): string[] | undefined {
  const { path, given, meant } = findUnknown(words)
  if (meant === undefined) return isLikelyId(given) ? moveId(words) : undefined
  const [next, ...others] = words.slice(path.length + 1)
  if (next === undefined) return undefined
  // The group `scans` is unknown. For `scans latest`, the command `latest` of a similar group is suggested, not its usual command.
  const [group = '', usual] = meant.split(' ')
  const isVerb = path.length === 0 && usual !== undefined && findCommand([group, next]) !== undefined
  return isVerb ? [group, next, ...others] : [...meant.split(' '), next, ...others]
}

/** The words `metrics 4711` for `4711 metrics`. Undefined if the words after the ID are not a command. */
function moveId([id = '', ...words]: readonly string[]): string[] | undefined {
  const found = findCommand(words)
  return found?.kind === 'command' ? words.toSpliced(found.name.split(' ').length, 0, id) : undefined
}

/** Commands and flags of earlier versions that were removed, and their replacements. */
const removed: Readonly<Record<string, string>> = {
  'history verify':
    'Show the log: facescan history list. To keep a log that its owner cannot change, see: facescan profiles set --help',
  '--redact': 'Print only fields without personal data, such as --json=language.',
  '--har': 'Use --debug to trace requests, or --curl to show each request as a curl command.',
}

export function findReplacement(name: string): string | undefined {
  return own(removed, name)
}
