import { CommanderError, Option, Command as Parser } from 'commander'
import type { OptionRow } from '../command/options.ts'
import type { SortedWords } from './sorted-words.ts'

export function sortWords(argv: readonly string[], rows: readonly OptionRow[]): SortedWords {
  const options = rows.map(toOption)
  const words = separateOptionalValues(argv, options)
  try {
    return sort(words, options)
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
  const end = unknown.includes('--') ? unknown.indexOf('--') : unknown.length
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

function toOption([flags, summary]: OptionRow): Option {
  const option = new Option(flags, summary)
  if (!option.required && !option.optional) return option
  return option.argParser((text: string, before: readonly string[] = []) => [...before, text])
}

/** An optional value must follow an equals sign. commander also takes the next word, which `--json=` prevents. */
function separateOptionalValues(argv: readonly string[], options: readonly Option[]): string[] {
  const names = options.filter(({ optional }) => optional).map(({ long }) => long)
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  return argv.map((word, index) => (index < end && names.includes(word) ? `${word}=` : word))
}
