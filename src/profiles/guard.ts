import { RefusedError } from '../base/errors.ts'
import type { Effect } from '../contract/endpoint.ts'
import type { Session } from './session.ts'

/** What a command is about to do to stored data. */
export interface GuardedChange {
  effect: Effect
  /** Reads after "About to": `delete a user`. Holds no id, because errors repeat it. */
  summary: string
  /** Who is affected, as the question shows it. */
  subject?: string | undefined
  /** The user id that a deletion names; the profile is named where there is none. */
  userId?: string | undefined
  /** Whether many users are touched at once, as by an import. */
  bulk?: boolean | undefined
}

/** What the person said and can be asked. */
export interface Consent {
  /** Whether a question can be put: standard input and standard error are terminals, and `--no-input` is not given. */
  interactive: boolean
  yes: boolean
  /** The value of `--confirm`. */
  confirm: string | undefined
}

export type Decision =
  | { do: 'proceed' }
  | { do: 'agree'; question: string }
  | { do: 'type'; question: string; word: string }
  | { do: 'refuse'; error: RefusedError }

type GuardedSession = Pick<Session, 'profile' | 'environment' | 'protect'>

/**
 * Decides whether a change may be sent. `--confirm` must name what is changed: the user id of a deletion, otherwise the
 * profile. `--yes` answers a yes-or-no question; in production, before a deletion and before an import, a protected
 * profile wants more. A deletion is never silent.
 */
export function decideChange(change: GuardedChange, session: GuardedSession, consent: Consent): Decision {
  if (change.effect === 'read') return { do: 'proceed' }
  if (session.protect === 'read-only') return refuseReadOnly(change, session)
  const word = confirmationWord(change, session)
  if (consent.confirm !== undefined && consent.confirm !== word) return refuseWord(change, session)
  if (consent.confirm === word) return { do: 'proceed' }
  if (session.protect === 'off' && change.effect !== 'destroy') return { do: 'proceed' }
  const mustType = session.protect !== 'off' && (change.effect === 'destroy' || change.bulk === true)
  const yesIsEnough = session.protect === 'off' || (!mustType && session.environment !== 'production')
  if (consent.yes && yesIsEnough) return { do: 'proceed' }
  if (!consent.interactive) return refuseUnasked(change, session, yesIsEnough)
  const subject = change.subject ? `: ${change.subject}` : ''
  const question = `About to ${change.summary} in ${describe(session)}${subject}.`
  return mustType ? { do: 'type', question, word } : { do: 'agree', question }
}

/** How a decision is put to the person; both answer undefined or false where the input ends. */
export interface Questions {
  agree(question: string): Promise<boolean>
  type(question: string): Promise<string | undefined>
}

/** Lets a change through or throws a RefusedError; asks where that is possible. */
export async function guardChange(
  change: GuardedChange,
  session: GuardedSession,
  consent: Consent,
  ask: Questions,
): Promise<void> {
  const decision = decideChange(change, session, consent)
  if (decision.do === 'proceed') return
  if (decision.do === 'refuse') throw decision.error
  if (decision.do === 'agree') {
    if (await ask.agree(`${decision.question} Continue?`)) return
    throw new RefusedError('nothing was changed: the question was not answered with yes')
  }
  const typed = await ask.type(`${decision.question} Type ${decision.word} to continue:`)
  if (typed?.trim() !== decision.word) throw new RefusedError('nothing was changed: something else was typed')
}

function confirmationWord(change: GuardedChange, session: GuardedSession): string {
  if (change.effect === 'destroy' && change.userId !== undefined) return change.userId
  return session.profile === null ? session.environment : session.profile
}

function describe({ profile, environment }: GuardedSession): string {
  return profile === null ? environment : `${profile} (${environment})`
}

function refuseReadOnly(change: GuardedChange, session: GuardedSession): Decision {
  const error = new RefusedError(
    `the profile ${session.profile} is read-only, so it cannot ${change.summary}`,
    {
      hint: `Open it for a while with: facescan profiles unlock ${session.profile} --for 15m --reason '…'`,
    },
  )
  return { do: 'refuse', error }
}

function refuseWord(change: GuardedChange, session: GuardedSession): Decision {
  const error = new RefusedError(
    `the value of --confirm does not name what would be changed (${change.summary} in ${describe(session)})`,
    { hint: `Nothing was sent. If it is what you want, give --confirm=${showWord(change, session)}` },
  )
  return { do: 'refuse', error }
}

function refuseUnasked(change: GuardedChange, session: GuardedSession, yesIsEnough: boolean): Decision {
  const error = new RefusedError(
    `cannot ${change.summary} in ${describe(session)} without a confirmation, and there is nobody to ask`,
    { hint: `Give ${yesIsEnough ? '--yes or ' : ''}--confirm=${showWord(change, session)}` },
  )
  return { do: 'refuse', error }
}

/** The word as an error may show it: a profile by name, a user never by id. */
function showWord(change: GuardedChange, session: GuardedSession): string {
  return change.effect === 'destroy' && change.userId !== undefined
    ? '<user_id>'
    : confirmationWord(change, session)
}
