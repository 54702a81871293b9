import { CommanderError, Option, Command as Parser } from 'commander'
import type { Command } from '../framework/define-command.ts'
import type { Flag, Options } from '../framework/options.ts'
import { endOfFlags, type Words } from './words.ts'

/** Binds words to flags. From the first unknown flag on, all words except known flags stay in `rest`. */
export function bind(words: readonly string[], flags: Options): Words {
  const options = Object.entries(flags).map(createOption)
  const optional = Object.values(flags).flatMap(({ kind, long }) => (kind === 'optional value' ? [long] : []))
  const end = endOfFlags(words)
  // Without an equals sign, commander would use the next word as the optional value.
  const separated = words.map((word, at) => (at < end && optional.includes(word) ? `${word}=` : word))
  try {
    return run(separated, options)
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // The only possible error is a missing value after the last flag, because values are not checked here.
    return { ...run(separated.slice(0, -1), options), valueless: separated.at(-1) ?? '' }
  }
}

/** Binds the rest of a line to the flags of its command. Removes the name of the command from the operands. */
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
  // For the name `--no-x`, commander would store false under the name `x`.
  option.negate = false
  if (placeholder !== undefined)
    option.argParser((text: string, before: readonly string[] = []) => [...before, text])
  return option
}
