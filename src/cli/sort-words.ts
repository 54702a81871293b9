import { CommanderError, Option, Command as Parser } from 'commander'
import { UsageError } from '../base/errors.ts'
import type { Command } from '../command/define-command.ts'
import { globalOptions } from '../command/global-flags.ts'
import type { Flag, Options } from '../command/options.ts'

/** The words of a command line, sorted but not checked: values may be invalid, and flags may be unknown. */
export interface SortedWords {
  /** Words before the first unknown flag that are neither flags nor values. */
  operands: readonly string[]
  /** By key (`externalUserId`). A flag with a value has one text for each time it is given. */
  given: Readonly<Record<string, true | readonly string[]>>
  unknownFlags: readonly string[]
  /** Words after the first unknown flag. The first one may be its value. */
  doubtful: readonly string[]
  /** The last word, if it is a flag without its value. */
  valueless?: string
  /** A flag whose optional value is missing, and the word after it: `--wait` and `3s`. */
  bareFlag?: readonly [flag: string, next: string] | undefined
}

export function sortWords(argv: readonly string[], flags: Options): SortedWords {
  const options = Object.entries(flags).map(([key, flag]) => new KeyedOption(key, flag))
  const optional = Object.values(flags)
    .filter(({ kind }) => kind === 'optional value')
    .map(({ long }) => long)
  const words = separateOptionalValues(argv, optional)
  const bareFlag = findBareFlag(argv, optional)
  try {
    return { ...sort(words, options), bareFlag }
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // The last word is a flag without its value. There is no other error, because values are not checked here.
    return { ...sort(words.slice(0, -1), options), valueless: words.at(-1) ?? '' }
  }
}

function sort(words: readonly string[], options: readonly Option[]): SortedWords {
  const parser = new Parser()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .helpOption(false)
  for (const option of options) parser.addOption(option)
  const { operands, unknown } = parser.parseOptions([...words])
  const end = endOfFlags(unknown)
  const before = unknown.slice(0, end)
  return {
    operands,
    given: parser.opts(),
    unknownFlags: before.filter(isFlag),
    doubtful: [...before.filter((word) => !isFlag(word)), ...unknown.slice(end + 1)],
  }
}

function isFlag(word: string): boolean {
  return word.length > 1 && word.startsWith('-') && !/^-\.?\d/.test(word)
}

/** commander's form of a flag. It stores all texts of the flag under its key. */
class KeyedOption extends Option {
  readonly #key: string

  constructor(key: string, { pattern, placeholder }: Flag) {
    super(pattern)
    this.#key = key
    // commander would store false for a name that starts with `--no-`, under the name without it.
    this.negate = false
    if (placeholder !== undefined)
      this.argParser((text: string, before: readonly string[] = []) => [...before, text])
  }

  override attributeName(): string {
    return this.#key
  }
}

/**
 * An optional value must follow an equals sign. commander would use the next word as the value, so the flag is passed as
 * `--json=`.
 */
function separateOptionalValues(argv: readonly string[], names: readonly string[]): string[] {
  const end = endOfFlags(argv)
  return argv.map((word, index) => (index < end && names.includes(word) ? `${word}=` : word))
}

function endOfFlags(words: readonly string[]): number {
  return words.includes('--') ? words.indexOf('--') : words.length
}

/** The word after a flag with an optional value is an argument, but the person probably meant it as the value. */
function findBareFlag(argv: readonly string[], names: readonly string[]): SortedWords['bareFlag'] {
  const words = argv.slice(0, endOfFlags(argv))
  const index = words.findIndex((word, at) => names.includes(word) && !isFlag(words[at + 1] ?? '--'))
  const [flag, next] = words.slice(index, index + 2)
  return index < 0 || flag === undefined || next === undefined ? undefined : [flag, next]
}

/** Sorts a command line by the flags of its command. The operands no longer include the name of the command. */
export function sortCommandWords(name: string, command: Command, argv: readonly string[]): SortedWords {
  const words = sortWords(argv, { ...command.options, ...globalOptions })
  const path = name.split(' ')
  const before = [...words.operands, ...words.doubtful].slice(0, path.length)
  if (before.join(' ') !== name) {
    throw new UsageError(`the command must come before its flags: facescan ${name}`, {
      hint: `See: facescan ${name} --help`,
    })
  }
  const { bareFlag } = words
  return {
    ...words,
    // The word after the flag may be the command.
    bareFlag: bareFlag && path.includes(bareFlag[1]) ? undefined : bareFlag,
    operands: words.operands.slice(path.length),
    doubtful: words.doubtful.slice(Math.max(0, path.length - words.operands.length)),
  }
}
