import { RefusedError } from '../base/errors.ts'
import { quoteWord } from '../base/text/shell-quote.ts'
import type { Effect } from '../contract/endpoint.ts'
import type { Session } from './session.ts'

/** A change of stored data before it is sent. */
export interface GuardedChange {
  effect: Effect
  /** Imperative, with "a user" for the affected user: `delete a user`. */
  summary: string
  /** The affected user, as the question shows it (default: `user ID`). */
  subject?: string | undefined
  /** The internal ID of the affected user. */
  userId?: string | undefined
  /** The external ID of the affected user, if the person identified the user by it. */
  externalUserId?: string | undefined
  /** The number of users of a list that is changed in one run, such as an import. */
  users?: number | undefined
}

/** Confirmation on the command line, and whether prompts are possible. */
export interface Consent {
  /** Whether a question can be asked: stdin and stderr are terminals, and `--no-input` is not set. */
  interactive: boolean
  yes: boolean
  /** The value of `--confirm`. */
  confirm: string | undefined
}

export type Decision =
  | { do: 'proceed' }
  | { do: 'agree'; question: string }
  | { do: 'type'; question: string; word: string }

type GuardedSession = Pick<Session, 'profile' | 'environment' | 'protect'> & Partial<Pick<Session, 'baseUrl'>>

/**
 * Decides whether a change may be sent. `--confirm` must name what changes: the user of a deletion, by the ID that the person
 * typed, the number of users if a list is deleted, and the profile otherwise. `--yes` answers a yes-or-no question. In production
 * it confirms nothing, and a protected profile also needs `--confirm` for a deletion or an import. A deletion always needs
 * confirmation, and the deletion of a list always needs `--confirm`. Throws a RefusedError if the change must not be sent.
 */
export function decideChange(change: GuardedChange, session: GuardedSession, consent: Consent): Decision {
  if (change.effect === 'read') return { do: 'proceed' }
  if (session.protect === 'read-only') throw readOnly(change, session)
  const described = describeChange(change, session)
  const words = confirmationWords(change, session)
  const [word] = words
  const flag = `--confirm=${quoteWord(word)}`
  if (consent.confirm !== undefined) {
    if (words.includes(consent.confirm)) return { do: 'proceed' }
    throw unconfirmed(`--confirm does not match: ${described} needs ${flag}`, flag)
  }
  if (session.protect === 'off' && change.effect !== 'destroy') return { do: 'proceed' }
  const isList = change.users !== undefined
  const isListDeleted = isList && change.effect === 'destroy'
  const mustType = isListDeleted || (session.protect !== 'off' && (change.effect === 'destroy' || isList))
  const yesIsEnough =
    !isListDeleted && (session.protect === 'off' || (!mustType && session.environment !== 'production'))
  if (consent.yes && yesIsEnough) return { do: 'proceed' }
  if (!consent.interactive) {
    const ignored = consent.yes ? `; ${explainIgnoredYes(session)}` : ''
    throw unconfirmed(`${described} needs confirmation${ignored}`, yesIsEnough ? `--yes or ${flag}` : flag)
  }
  const question = `${capitalize(described)}.`
  return mustType ? { do: 'type', question, word } : { do: 'agree', question }
}

/** The prompts of a terminal. */
export interface Questions {
  confirm(question: string): Promise<boolean>
  text(question: string): Promise<string | undefined>
}

/** Returns if the change may be sent, after asking if necessary. Throws a RefusedError otherwise. */
export async function guardChange(
  change: GuardedChange,
  session: GuardedSession,
  consent: Consent,
  ask: Questions,
): Promise<void> {
  const decision = decideChange(change, session, consent)
  if (decision.do === 'proceed') return
  if (decision.do === 'agree') {
    if (await ask.confirm(`${decision.question} Continue?`)) return
    throw new RefusedError('canceled; nothing was changed')
  }
  const typed = await ask.text(`${decision.question} Type ${decision.word} to continue:`)
  if (typed?.trim() !== decision.word) {
    throw new RefusedError(`canceled: the text did not match ${decision.word}; nothing was changed`)
  }
}

/** The accepted values of `--confirm`; a prompt asks for the first one. */
function confirmationWords(change: GuardedChange, session: GuardedSession): [string, ...string[]] {
  const { effect, userId, externalUserId, users } = change
  if (effect === 'destroy' && users !== undefined) return [String(users)]
  const [first, ...others] = [externalUserId, userId].filter((id) => id !== undefined)
  if (effect === 'destroy' && first !== undefined) return [first, ...others]
  return [session.profile ?? session.environment]
}

/** `update user 4711` */
function nameChange({ summary, subject, externalUserId, userId }: GuardedChange): string {
  const id = externalUserId ?? userId
  const user = subject ?? (id === undefined ? undefined : `user ${id}`)
  if (user === undefined) return summary
  const named = summary.replace(/\ba user\b/, () => user)
  return named.includes(user) ? named : `${named} for ${user}`
}

/** `updating user 4711 in ACME (production)`; with the host for a list of users. */
function describeChange(change: GuardedChange, { profile, environment, baseUrl }: GuardedSession): string {
  const [verb = '', ...words] = nameChange(change).split(' ')
  const where = profile === null ? environment : `${profile} (${environment})`
  const host = change.users === undefined || baseUrl === undefined ? '' : ` at ${new URL(baseUrl).host}`
  return `${verb.replace(/e$/, '')}ing ${words.join(' ')} in ${where}${host}`
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function explainIgnoredYes({ environment }: GuardedSession): string {
  return environment === 'production'
    ? '--yes is ignored in production'
    : '--yes does not confirm this change'
}

function readOnly(change: GuardedChange, { profile }: GuardedSession): RefusedError {
  return new RefusedError(`profile ${profile} is read-only: cannot ${nameChange(change)}`, {
    hint: `Allow changes for a limited time: facescan profiles unlock ${profile} --for 15m --reason 'ticket 815'`,
  })
}

/** The error for a change that was not confirmed. `flags` confirm it. */
export function unconfirmed(message: string, flags: string): RefusedError {
  return new RefusedError(message, { hint: `Nothing was changed. Re-run with ${flags}` })
}
