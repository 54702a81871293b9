import { CommanderError, Option, Command as Parser } from 'commander'
import type { Command } from '../framework/define-command.ts'
import type { Flag, Options } from '../framework/options.ts'
import { endOfFlags, type Words } from './words.ts'

export function bind(words: readonly string[], flags: Options): Words {
  const options = Object.entries(flags).map(createOption)
  const optional = Object.values(flags).flatMap(({ kind, long }) => (kind === 'optional value' ? [long] : []))
  const end = endOfFlags(words)
  // If a flag with an optional value has no equals sign, commander uses the next word as its value. So the equals sign is added.
  const separated = words.map((word, at) => (at < end && optional.includes(word) ? `${word}=` : word))
  try {
    return run(separated, options)
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Values are not checked here, so the only possible error is that the last word is a flag whose required value is missing.
    return { ...run(separated.slice(0, -1), options), valueless: separated.at(-1) ?? '' }
  }
}

/** Binds the words in `line.rest` to the flags of the command. Removes the name of the command from the operands. */
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
  // commander would store false under the name `x` for a flag `--no-x`, so its negation is switched off.
  option.negate = false
  if (placeholder !== undefined)
    option.argParser((text: string, before: readonly string[] = []) => [...before, text])
  return option
}
