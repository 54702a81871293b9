import { FacescanError } from '../base/errors.ts'
import { quoteWord } from '../base/text/shell-quote.ts'
import type { GlobalFlags } from './global-flags.ts'

type SameService = Partial<Pick<GlobalFlags, 'profile' | 'keyFile' | 'actionToken'>>

/** A suggested command that uses the same service and credential as the current command. */
export function followUp(words: string, { profile, keyFile, actionToken }: SameService): string {
  // Of the suggested commands, only `status` accepts an action token.
  const token = words === 'status' ? actionToken : undefined
  const same = { profile, 'key-file': keyFile, 'action-token': token }
  const flags = Object.entries(same).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${quoteWord(value)}`],
  )
  return ['facescan', words, ...flags].join(' ')
}

/** Commands in hints that need the same service. The code that writes a hint does not know the flags. */
const looking = /facescan (status|doctor --network|users create|api \S+ .+)$/

/** A hint whose last command uses the same service. */
export function completeHint(hint: string, flags: SameService): string {
  return hint.replace(looking, (_, words: string) => followUp(words, flags))
}

export function aboutSameService(error: unknown, flags: SameService): unknown {
  if (error instanceof FacescanError && error.details.hint !== undefined)
    error.details.hint = completeHint(error.details.hint, flags)
  return error
}
