import { FacescanError } from '../base/errors.ts'
import { quoteWord } from '../base/text/shell-quote.ts'
import type { GlobalFlags } from './global-flags.ts'

type SameService = Partial<Pick<GlobalFlags, 'profile' | 'keyFile' | 'actionToken'>>

/** A command to run next, which speaks to the same service with the same credential as the one that names it. */
export function followUp(words: string, { profile, keyFile, actionToken }: SameService): string {
  // The others that are named need a key.
  const token = words === 'status' ? actionToken : undefined
  const same = { profile, 'key-file': keyFile, 'action-token': token }
  const flags = Object.entries(same).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${quoteWord(value)}`],
  )
  return ['facescan', words, ...flags].join(' ')
}

/** Hints come from parts that do not know the flags; these commands look at the service that the command spoke to. */
const looking = /facescan (status|doctor --network|users create|token --external-user-id ID)$/

/** A hint whose last command speaks to the same service. */
export function completeHint(hint: string, flags: SameService): string {
  return hint.replace(looking, (_, words: string) => followUp(words, flags))
}

export function aboutSameService(error: unknown, flags: SameService): unknown {
  if (error instanceof FacescanError && error.details.hint !== undefined)
    error.details.hint = completeHint(error.details.hint, flags)
  return error
}
