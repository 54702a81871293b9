import { UsageError } from '../base/errors.ts'
import { nearest } from '../base/nearest.ts'
import { showWord } from '../base/text/show-word.ts'
import { asksForHelp, beforeDashes } from '../base/words.ts'
import { globalOptions } from '../command/global-flags.ts'
import { knownElsewhere } from './other-names.ts'
import { allNouns, type Branch, isBranch, type Leaf } from './tree.ts'
import { unknownOption } from './unknown-option.ts'

export type Located =
  | { kind: 'command'; name: string; leaf: Leaf; words: string[] }
  | { kind: 'branch'; name: string; branch: Branch }
  | { kind: 'root' }

const globalNames: ReadonlySet<string> = new Set(
  globalOptions.flatMap(([flags]) => flags.replace(/ [<[].*/, '').split(', ')),
)

const valued: ReadonlySet<string> = new Set(
  globalOptions
    .filter(([flags]) => flags.includes('<'))
    .flatMap(([flags]) => flags.replace(/ <.*/, '').split(', ')),
)

/** Finds the command in a command line, whatever global flags stand before it; the remaining words go to its parser. */
export function locate(argv: readonly string[]): Located {
  const nouns = allNouns()
  const [first, rest, before] = takeWord(argv)
  if (first === undefined) {
    checkFlags(argv, 'facescan')
    return { kind: 'root' }
  }
  const node = own(nouns, first)
  if (node === undefined) {
    checkFlags(before, 'facescan')
    throw unknown(first, Object.keys(nouns), 'facescan')
  }
  if (!isBranch(node)) return { kind: 'command', name: first, leaf: node, words: rest }
  const [verb, words, beforeVerb] = takeWord(rest)
  if (verb === undefined) {
    checkFlags(rest, `facescan ${first}`)
    return { kind: 'branch', name: first, branch: node }
  }
  const leaf = own(node.verbs, verb)
  if (leaf === undefined) {
    checkFlags(beforeVerb, `facescan ${first}`)
    throw unknown(
      `${first} ${verb}`,
      Object.keys(node.verbs).map((name) => `${first} ${name}`),
      `facescan ${first}`,
    )
  }
  return { kind: 'command', name: `${first} ${verb}`, leaf, words }
}

/** Where no command judges the flags: an unknown one must not pass as a plea for help, or its value as a command. */
function checkFlags(words: readonly string[], page: string): void {
  const flags = beforeDashes(words)
  if (asksForHelp(flags)) return
  const names = flags
    .map((word) => word.replace(/=.*/s, ''))
    .filter((_, n) => !valued.has(flags[n - 1] ?? ''))
  const stranger = names.find((name) => !isGlobal(name))
  if (stranger !== undefined) throw unknownOption(stranger, page, nearest(stranger, [...globalNames]))
  const last = flags.at(-1)
  if (last !== undefined && valued.has(last) && names.at(-1) === last) {
    throw new UsageError(`${last} needs a value`, { hint: `See: ${page} --help` })
  }
}

/** The value of a short flag may follow it without a blank. */
function isGlobal(name: string): boolean {
  return globalNames.has(name.startsWith('--') ? name : name.slice(0, 2))
}

function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** Whether a command line names no flag or argument of the command itself. */
export function hasOnlyGlobalFlags(words: readonly string[]): boolean {
  const [first, rest] = takeWord(words)
  return (
    first === undefined &&
    rest.every((word) => !word.startsWith('-') || globalNames.has(word.replace(/=.*/, '')))
  )
}

/** The first word that is neither a flag nor a flag's value, the words without it, and those before it. */
function takeWord(
  argv: readonly string[],
): [word: string | undefined, words: string[], before: readonly string[]] {
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? ''
    if (word === '--') break
    if (valued.has(word)) index++
    else if (!word.startsWith('-')) return [word, argv.filter((_, i) => i !== index), argv.slice(0, index)]
  }
  return [undefined, [...argv], argv]
}

function unknown(given: string, known: readonly string[], parent: string): UsageError {
  const meant = knownElsewhere(given, known) ?? nearest(given, known)
  return new UsageError(
    `unknown command ${showWord(given)}${meant ? `. Did you mean "facescan ${meant}"?` : ''}`,
    {
      hint: `See: ${parent} --help`,
    },
  )
}
