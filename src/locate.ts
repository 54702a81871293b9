import { UsageError } from './errors.ts'
import { globalOptions } from './flags.ts'
import { nearest } from './nearest.ts'
import { allNouns, type Branch, isBranch, type Leaf } from './tree.ts'

export type Located =
  | { kind: 'command'; name: string; leaf: Leaf; words: string[] }
  | { kind: 'branch'; name: string; branch: Branch; help: boolean }
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
  const [first, rest] = takeWord(argv)
  if (first === undefined) return { kind: 'root' }
  const node = own(nouns, first)
  if (node === undefined) throw unknown(first, Object.keys(nouns), 'facescan')
  if (!isBranch(node)) return { kind: 'command', name: first, leaf: node, words: rest }
  const [verb, words] = takeWord(rest)
  if (verb === undefined) {
    return {
      kind: 'branch',
      name: first,
      branch: node,
      help: rest.some((word) => word === '--help' || word === '-h'),
    }
  }
  const leaf = own(node.verbs, verb)
  if (leaf === undefined)
    throw unknown(
      `${first} ${verb}`,
      Object.keys(node.verbs).map((name) => `${first} ${name}`),
      `facescan ${first}`,
    )
  return { kind: 'command', name: `${first} ${verb}`, leaf, words }
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

/** The first word that is neither a flag nor a flag's value, and the words without it. */
function takeWord(argv: readonly string[]): [string | undefined, string[]] {
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? ''
    if (word === '--') break
    if (valued.has(word)) index++
    else if (!word.startsWith('-')) return [word, argv.filter((_, i) => i !== index)]
  }
  return [undefined, [...argv]]
}

function unknown(given: string, known: readonly string[], parent: string): UsageError {
  const meant = nearest(given, known)
  // Longer than any command: perhaps a key that somebody thought there was a flag for.
  const shown = given.length > 24 ? `of ${given.length} characters` : `"${given}"`
  return new UsageError(`unknown command ${shown}${meant ? `. Did you mean "facescan ${meant}"?` : ''}`, {
    hint: `See: ${parent} --help`,
  })
}
