import { UsageError } from '../base/errors.ts'
import { own } from '../base/functions.ts'
import { nearest } from '../base/nearest.ts'
import { isLink, quoteWord, showWord } from '../base/text.ts'
import { expiryOf } from '../http/expiry.ts'
import { findCommand, type Located, nouns } from './routes.ts'

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

/** The command that is suggested if an ID is in the place of a command name, by the group of commands. */
const commandsForId: Readonly<Record<string, string>> = {
  '': 'overview',
  users: 'users get',
  biomarkers: 'biomarkers list',
  answers: 'answers list',
}

function isLikelyId(word: string): boolean {
  return /^(?=.*\d)\w[\w.-]{0,31}$/.test(word)
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

/** Like `findCommand`, but throws UsageError for an unknown command. */
export function locate(words: readonly string[]): Located {
  const found = findCommand(words)
  if (found === undefined) throw unknownCommand(words)
  return found
}

/** The error for words that are not a command, with the most likely command. */
export function unknownCommand(words: readonly string[], argv: readonly string[] = []): UsageError {
  const [noun = '', verb = ''] = words
  const node = own(nouns, noun)
  return node !== undefined && 'verbs' in node
    ? describeUnknown([noun], verb, Object.keys(node.verbs), { words, argv })
    : describeUnknown([], noun, Object.keys(nouns), { words, argv })
}

/** The error for a link in the place of a user ID or a command. The link is not repeated, because its token gives access to the user. */
export function refuseLink(link: string): UsageError {
  const expiresAt = expiryOf(link)
  const lifetime = expiresAt === undefined ? '' : ` (valid until ${expiresAt})`
  return new UsageError(`"${link.slice(0, link.indexOf('//') + 2)}…" is a link${lifetime}, not a user ID`, {
    hint: 'New link: facescan scan-url ID (for a dashboard: facescan dashboard-url ID)',
  })
}

/** `path` contains the group of the command, if the group is known. */
function describeUnknown(
  path: readonly string[],
  given: string,
  known: readonly string[],
  line: Line,
): UsageError {
  if (isLink(given)) return refuseLink(given)
  const parent = ['facescan', ...path].join(' ')
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
  const suggestion = meant ? `; did you mean "${parent} ${meant}"?` : ''
  const shown = !meant && isLikelyId(given) ? own(commandsForId, path.join('')) : undefined
  const corrected = meant ? correct(line, path.length, meant) : isLikelyId(given) ? moveId(line) : undefined
  if (corrected !== undefined)
    return new UsageError(`unknown command ${showWord(name)}${suggestion}`, { hint: `Run: ${corrected}` })
  return new UsageError(`unknown command ${showWord(name)}${suggestion}`, {
    hint: shown ? `Show the user: facescan ${shown} ${given}` : `See: ${parent} --help`,
  })
}

/** The words of a command line without flags, and all its words. */
interface Line {
  words: readonly string[]
  argv: readonly string[]
}

/** The command line with the command that was probably meant. Undefined if the line contains no other words or the result is no command. */
function correct({ words, argv }: Line, at: number, meant: string): string | undefined {
  const command = meant.split(' ')
  const isCommand = findCommand(words.toSpliced(at, 1, ...command))?.kind === 'command'
  if (!isCommand || words.length <= at + 1) return undefined
  return commandLine(argv.toSpliced(indexOfWord(argv, words, at), 1, ...command))
}

/** The command line `metrics 4711` for `4711 metrics`. Undefined if the words after the ID are not a command. */
function moveId({ words: [id = '', ...words], argv }: Line): string | undefined {
  const found = findCommand(words)
  const rest = argv.filter((word) => word !== id)
  return found?.kind === 'command' && rest.length === argv.length - 1
    ? commandLine(rest.toSpliced(rest.indexOf(words[0] ?? '') + found.name.split(' ').length, 0, id))
    : undefined
}

/** The position in `argv` of the word at position `at` in `words`. */
function indexOfWord(argv: readonly string[], words: readonly string[], at: number): number {
  return words.slice(0, at + 1).reduce((from, word) => argv.indexOf(word, from + 1), -1)
}

function commandLine(argv: readonly string[]): string {
  return ['facescan', ...argv.map(quoteWord)].join(' ')
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
  return own(removed, name)
}
