import { type Clock, span } from '../base/clock.ts'
import { RefusedError } from '../base/errors.ts'
import { quoteWord } from '../base/text.ts'
import type { Effect, Endpoint } from '../contract/endpoint.ts'
import { oneLine } from '../output/text.ts'
import type { ServiceEnvironment } from './profile.ts'
import type { Session } from './session.ts'

export interface GuardedChange {
  effect: Effect
  /** The change as text, such as `delete a user`. A prompt shows the ID of the user instead of "a user". */
  summary: string
  /** Name of the affected user in a confirmation prompt (default: the word `user` and the ID). */
  subject?: string | undefined
  userId?: string | undefined
  /** External user ID. Undefined if it is not on the command line. */
  externalUserId?: string | undefined
  /** Number of users that the change affects. Set only for a list of users, such as an import. */
  users?: number | undefined
  firstUsers?: readonly string[] | undefined
  estimatedSeconds?: number | undefined
}

export function changeBy(
  { effect, summary }: Pick<Endpoint, 'effect' | 'summary'>,
  id: string | undefined,
): GuardedChange {
  const what = summary.replace(/;.*/, '').replace(/^./, (letter) => letter.toLowerCase())
  return { effect, summary: what, subject: id && `user ${oneLine(id)}` }
}

interface Consent {
  interactive: boolean
  yes: boolean
  confirm?: string | undefined
}

export type Decision =
  | { do: 'proceed' }
  | { do: 'agree'; question: string }
  | { do: 'type'; question: string; word: string }

export type GuardedSession = Pick<Session, 'profile' | 'environment' | 'protect'> &
  Partial<Pick<Session, 'baseUrl' | 'unlock'>>

/**
 * Decides whether a change can be sent now, or only after a question. Throws a RefusedError if it must not be sent. The value of
 * `--confirm` is the user ID for a deletion, the number of users for the deletion of a list, and the profile for any other change. A
 * deletion always needs confirmation, and the deletion of a list always needs `--confirm`. A protected profile also needs `--confirm` for a
 * deletion or an import. `--yes` answers a yes-or-no question, but not in production.
 */
export function decideChange(change: GuardedChange, session: GuardedSession, consent: Consent): Decision {
  const { protect, environment } = session
  if (change.effect === 'read') return { do: 'proceed' }
  if (protect === 'read-only') throw readOnly(change, session)
  const isDeletion = change.effect === 'destroy'
  if (protect === 'off' && !isDeletion && consent.confirm === undefined) return { do: 'proceed' }
  const words = confirmationWords(change, session)
  const typed = wordToType(change, session, words)
  const yesIsEnough = typed === undefined && (protect === 'off' || environment !== 'production')
  const what = describeChange(change, session)
  return decide({ what, words, typed, yesIsEnough, environment, isDeletion }, consent)
}

/** Whether a prompt asks for confirmation of a change (not with --confirm). Throws a RefusedError if the profile allows no changes. */
export function isConfirmed(effect: Effect, session: GuardedSession, confirm: string | undefined): boolean {
  const consent = { interactive: true, yes: false }
  const decision = decideChange({ effect, summary: 'change data' }, session, consent)
  return decision.do !== 'proceed' && confirm === undefined
}

interface Question {
  /** The change as text, such as `remove profile ACME`. */
  what: string
  words: readonly [string, ...string[]]
  /** The text that the user must type. Undefined for a yes-or-no question. */
  typed: string | undefined
  yesIsEnough: boolean
  environment: ServiceEnvironment
  isDeletion?: boolean
}

export function decide(
  { what, words, typed, yesIsEnough, environment, isDeletion = false }: Question,
  { interactive, yes, confirm }: Consent,
): Decision {
  const flag = `--confirm=${quoteWord(words[0])}`
  if (confirm !== undefined) {
    if (words.includes(confirm)) return { do: 'proceed' }
    throw unconfirmed(`--confirm has the wrong value: ${inProgress(what)} needs ${flag}`, flag)
  }
  if (yes && yesIsEnough) return { do: 'proceed' }
  if (!interactive) {
    const reason =
      environment === 'production' ? 'is ignored in production' : 'is not enough to confirm this change'
    const ignored = yes ? `; --yes ${reason}` : ''
    throw unconfirmed(
      `${inProgress(what)} needs confirmation${ignored}`,
      yesIsEnough ? `--yes or ${flag}` : flag,
    )
  }
  const warning = isDeletion ? ' This cannot be undone.' : ''
  const question = `About to ${what}.${warning}`
  return typed === undefined ? { do: 'agree', question } : { do: 'type', question, word: typed }
}

/**
 * The text that the user must type before the change: the number of users for a list, or the user ID for the deletion of one user in a
 * protected profile. Undefined if a yes-or-no question is enough.
 */
function wordToType(
  { effect, users }: GuardedChange,
  { protect }: GuardedSession,
  [word]: readonly [string, ...string[]],
): string | undefined {
  const isDeletion = effect === 'destroy'
  if (protect === 'off' && (!isDeletion || users === undefined)) return undefined
  return users === undefined ? (isDeletion ? word : undefined) : String(users)
}

export interface Person {
  flags: { yes: boolean; confirm?: string | undefined }
  ask: {
    possible: boolean
    confirm(question: string): Promise<boolean>
    text(question: string): Promise<string>
  }
  beforeQuestion?(): Promise<void>
}

const recentMs = 1_000

/**
 * Asks for confirmation if necessary. Throws a RefusedError if the change must not be sent. Call the returned function before each later
 * request: it throws if the protection of the profile has changed and forbids the change. It reads the profile file at most once per second,
 * and at the end of an unlock.
 */
export async function guardChange(
  change: GuardedChange,
  current: () => Promise<GuardedSession>,
  { clock, ...person }: Person & { clock: Pick<Clock, 'now'> },
): Promise<() => Promise<void>> {
  const consent = { ...person.flags, interactive: person.ask.possible }
  let readAt = clock.now()
  let session = await current()
  const decision = decideChange(change, session, consent)
  await carryOut(decision, person)
  const check = async () => {
    readAt = clock.now()
    session = await current()
    if (decision.do === 'proceed') decideChange(change, session, { ...consent, interactive: false })
    else if (session.protect === 'read-only') throw readOnly(change, session)
  }
  let checked = decision.do === 'proceed' ? Promise.resolve() : check()
  await checked
  // Requests that start within a second share one promise.
  return () => {
    const now = clock.now()
    const isRecent = Math.abs(now - readAt) < recentMs && now < (session.unlock?.until ?? now + 1)
    if (!isRecent) checked = check()
    return checked
  }
}

export async function carryOut(decision: Decision, { ask, beforeQuestion }: Person): Promise<void> {
  if (decision.do !== 'proceed') await beforeQuestion?.()
  if (decision.do === 'agree' && !(await ask.confirm(`${decision.question} Continue?`)))
    throw new RefusedError('canceled; nothing was changed')
  if (decision.do !== 'type') return
  const typed = await ask.text(`${decision.question} Type ${decision.word} to confirm:`)
  if (typed.trim() !== decision.word)
    throw new RefusedError(`canceled: the text did not match ${decision.word}; nothing was changed`)
}

export function warnOfUnlockEnd(
  { users, estimatedSeconds }: GuardedChange,
  { profile, unlock }: Pick<Session, 'profile' | 'unlock'>,
  now: number,
): string | undefined {
  if (users === undefined || unlock === undefined) return undefined
  const seconds = Math.max(0, unlock.until - now) / 1_000
  if (estimatedSeconds !== undefined && estimatedSeconds < seconds) return undefined
  const duration = estimatedSeconds === undefined ? 'an unknown time' : `about ${span(estimatedSeconds)}`
  return `profile ${profile} is unlocked for another ${span(seconds)}, but the list takes ${duration}; the list stops when the unlock ends, and can be resumed`
}

function confirmationWords(change: GuardedChange, session: GuardedSession): [string, ...string[]] {
  const { effect, userId, externalUserId, users } = change
  if (effect === 'destroy' && users !== undefined) return [String(users)]
  const [first, ...others] = [externalUserId, userId].filter((id) => id !== undefined)
  if (effect === 'destroy' && first !== undefined) return [first, ...others]
  return [session.profile ?? session.environment]
}

/** The change and its user, such as `update user 4711`. */
function nameChange({ summary, subject, externalUserId, userId }: GuardedChange): string {
  const id = externalUserId ?? userId
  const user = subject ?? (id === undefined ? undefined : `user ${oneLine(id)}`)
  if (user === undefined) return summary
  const named = summary.replace(/\ba user\b/, () => user)
  return named.includes(user) ? named : `${named} for ${user}`
}

/** The change and its profile, such as `update user 4711 in ACME (production)`. For a list of users, the text also contains the host. */
function describeChange(change: GuardedChange, { profile, environment, baseUrl }: GuardedSession): string {
  const where = profile === null ? environment : `${profile} (${environment})`
  const host = change.users === undefined || baseUrl === undefined ? '' : ` at ${new URL(baseUrl).host}`
  return `${nameChange(change)} ${change.summary.startsWith('import') ? 'into' : 'in'} ${where}${host}`
}

/** Changes `update user 4711` to `updating user 4711`. */
function inProgress(what: string): string {
  const [verb = '', ...words] = what.split(' ')
  return [`${verb.replace(/e$/, '')}ing`, ...words].join(' ')
}

function readOnly(change: GuardedChange, { profile }: GuardedSession): RefusedError {
  return new RefusedError(`profile ${profile} is read-only: cannot ${nameChange(change)}`, {
    hint: `Allow changes for a limited time: facescan profiles unlock ${profile} --for 15m --reason 'ticket 815'`,
  })
}

/** The error for a change without confirmation. `flags` are the flags that confirm the change. */
function unconfirmed(message: string, flags: string): RefusedError {
  return new RefusedError(message, { hint: `Nothing was changed. Re-run with ${flags}` })
}
