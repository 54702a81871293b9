import { CommanderError, Option, Command as Parser } from 'commander'
import type { Command } from '../framework/define-command.ts'
import type { Flag, Options } from '../framework/options.ts'
import { endOfFlags, type Words } from './words.ts'

/** Binds words to flags. The first unknown flag and all later words, except known flags, stay in `rest`. */
export function bind(words: readonly string[], flags: Options): Words {
  const options = Object.entries(flags).map(createOption)
  const optional = Object.values(flags).flatMap(({ kind, long }) => (kind === 'optional value' ? [long] : []))
  const end = endOfFlags(words)
  // With an equals sign (`--json=`), commander does not use the next word as the omitted value.
  const separated = words.map((word, at) => (at < end && optional.includes(word) ? `${word}=` : word))
  try {
    return run(separated, options)
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Values are not checked here, so the only possible error is a missing value after the last flag.
    return { ...run(separated.slice(0, -1), options), valueless: separated.at(-1) ?? '' }
  }
}

/** Binds the rest of a line to the flags of its command. The name of the command is removed from the operands. */
export function bindCommand(name: string, { options }: Command, line: Words): Words {
  const own = bind(line.rest, options)
  return {
    operands: [...line.operands.slice(name.split(' ').length), ...own.operands],
    given: { ...line.given, ...own.given },
    rest: own.rest,
    valueless: line.valueless ?? own.valueless,
  }
}

function run(words: readonly string[], options: readonly Option[]): Words {
  const parser = new Parser()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .helpOption(false)
  for (const option of options) parser.addOption(option)
  const { operands, unknown: rest } = parser.parseOptions([...words])
  return { operands, given: parser.opts(), rest }
}

/** Creates a commander option for a flag. commander stores all values of the flag under the key of the flag. */
function createOption([key, { pattern, placeholder }]: [string, Flag]): Option {
  const option = new Option(pattern)
  option.attributeName = () => key
  // For a name that starts with `--no-`, commander would store false under the name without `no-`.
  option.negate = false
  if (placeholder !== undefined)
    option.argParser((text: string, before: readonly string[] = []) => [...before, text])
  return option
}
