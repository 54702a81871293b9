import { Option } from 'commander'
import { quoteWord } from '../base/text/shell-quote.ts'
import type { Command } from '../command/define-command.ts'
import { createAsk, isAskable } from '../context/ask.ts'
import type { Outside } from '../context/composition.ts'
import { formatMessage } from '../output/message.ts'
import { createPen } from '../output/pen.ts'
import { learnUsers } from './learn-users.ts'
import type { CommandLine } from './read-command-line.ts'
import { sortCommandWords } from './sort-command-words.ts'
import type { SortedWords } from './sorted-words.ts'

/**
 * Asks for the words of a command if the command line contains none. The answers are checked like typed words, and are shown as a
 * command that runs without questions.
 */
export async function completeWords(
  name: string,
  command: Command,
  words: SortedWords,
  { line, outside }: { line: CommandLine; outside: Outside },
): Promise<SortedWords> {
  const { io, env, clock, interrupts, pseudonyms } = outside
  const { input, yes } = words.given
  if (!command.interview || !isEmpty(command, words)) return words
  if (!isAskable(io, env, { input: input !== false, yes: yes === true })) return words
  const pen = await createPen({ stream: io.stderr, env, color: line.color, now: () => clock.now() })
  const ask = createAsk(io, { possible: true, pen, signal: interrupts.signal })
  const argv = [...line.argv, ...(await command.interview(ask))]
  const completed = sortCommandWords(name, command, argv)
  learnUsers(command, completed, pseudonyms)
  io.stderr.write(formatMessage('note', `as a command: facescan ${argv.map(quoteWord).join(' ')}`, pen))
  return completed
}

/** Whether the words contain nothing but global flags. */
function isEmpty({ options }: Command, { operands, given, unknownFlags, valueless }: SortedWords): boolean {
  const ownFlags = options
    .map(([flags]) => new Option(flags))
    .filter((option) => given[option.attributeName()] !== (option.negate ? true : undefined))
  return [...operands, ...unknownFlags, ...ownFlags].length === 0 && valueless === undefined
}
