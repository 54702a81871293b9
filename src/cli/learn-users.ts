import type { Command } from '../command/define-command.ts'
import type { Pseudonyms } from '../output/redaction/pseudonyms.ts'
import type { SortedWords } from './sorted-words.ts'

/** Adds the external user ids of a command line to the pseudonyms of --redact. */
export function learnUsers(
  { hasUserArgument }: Command,
  { operands, given }: SortedWords,
  pseudonyms: Pseudonyms | undefined,
): void {
  if (pseudonyms === undefined) return
  const argument = hasUserArgument ? operands.slice(0, 1) : []
  const { externalUserId = [], ...others } = given
  const texts = [operands, ...Object.values(others)].flat().filter((text) => typeof text === 'string')
  const queried = texts.flatMap((text) => /external[-_]user[-_]id=([^&]+)/.exec(text)?.[1] ?? [])
  const ids = [argument, externalUserId, queried, queried.map(decode)].flat()
  for (const id of ids) if (typeof id === 'string') pseudonyms.learn('external', id)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
