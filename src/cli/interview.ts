import { quoteWord } from '../base/text/shell-quote.ts'
import type { Command } from '../command/define-command.ts'
import { createAsk, isAskable } from '../context/ask.ts'
import type { Outside } from '../context/composition.ts'
import { formatMessage } from '../output/message.ts'
import type { Pen } from '../output/view.ts'
import { hasOnlyGlobalFlags } from '../tree/locate.ts'

/**
 * Where a person gave a command nothing to go by, the command asks. The answers become words of the command line, so that they
 * are checked like typed ones, and are shown as such: next time it goes without questions.
 */
export async function completeWords(
  name: string,
  { interview }: Command,
  words: readonly string[],
  { io, env, interrupts }: Outside,
  pen: Pen,
): Promise<readonly string[]> {
  if (!interview || !hasOnlyGlobalFlags(words)) return words
  const input = !words.includes('--no-input')
  const yes = words.some((word) => word === '--yes' || word === '-y')
  if (!isAskable(io, env, { input, yes })) return words
  const ask = createAsk(io, { possible: true, color: pen.color, signal: interrupts.signal })
  const answers = await interview(ask)
  io.stderr.write(
    formatMessage(
      'note',
      `as a command: facescan ${name} ${[...answers, ...words].map(quoteWord).join(' ')}`,
      pen,
    ),
  )
  return [...answers, ...words]
}
