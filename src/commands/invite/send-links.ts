import { type FacescanError, mayBeApplied, ServiceError } from '../../base/errors.ts'
import { once } from '../../base/functions.ts'
import type { Context } from '../../framework/context.ts'
import type { ChangeStep, ManySupport, Preview } from '../../framework/many/options.ts'
import type { OptionValues } from '../../framework/options.ts'
import { assertSameUser, nameUser, type UserId } from '../../framework/user.ts'
import { expiryOf } from '../../http/expiry.ts'
import type { RecordView } from '../../output/view.ts'
import { type CreateOptions, createOnce, creationWaits } from '../users/create-once.ts'
import { fieldOptions, toFields } from '../users/fields.ts'
import { checkSameUser } from '../users/read-user.ts'

/**
 * One row of the file with links. A failed row contains a reason instead of a link. `unknown` is a failed row whose user may have been
 * created. The next run looks for this user before it creates the user.
 */
export interface InvitedRow {
  user_id: string | null
  status: 'invited' | 'renewed' | 'kept' | 'failed' | 'unknown'
  url: string | null
  expires_at: string | null
  /** Time of the first invitation as RFC 3339, by the clock of the service. */
  invited_at: string | null
  reason: string | null
}

/** Rows of an earlier run, by the ID that identifies the user. */
export type EarlierLinks = ReadonlyMap<string, InvitedRow>

const invitedView: RecordView<InvitedRow> = {
  columns: [
    { key: 'user_id', title: 'user_id' },
    { key: 'status', title: 'status' },
    { key: 'url', title: 'url' },
    { key: 'expires_at', title: 'expires_at' },
    { key: 'invited_at', title: 'invited_at' },
    { key: 'reason', title: 'reason' },
  ],
}

type InvitedUser = Partial<OptionValues<typeof fieldOptions>> & {
  user: UserId
  existing?: CreateOptions['existing']
  expireAt?: string | undefined
  expectedUserId?: string | undefined
}

interface Renewal {
  earlier: EarlierLinks
  /** Whether links that have not expired are renewed too. */
  renew: boolean
}

/** The command for one row: creates the user if necessary, and then creates a link. `tally` counts the rows of this run. */
export function invitation(renewal: Renewal, tally: (row: InvitedRow) => void) {
  const clock = once((ctx: Context) => readServiceClock(ctx))
  const each = async (ctx: Context, invited: InvitedUser, step: ChangeStep) => {
    const row = await inviteOne(ctx, invited, { ...renewal, step, now: await clock(ctx) })
    tally(row)
    return row
  }
  const preview = async (ctx: Context, { user }: { user: UserId }): Promise<Preview> => {
    const { before, isKept } = await findEarlier(ctx, user, { ...renewal, now: ctx.clock.now })
    return { status: isKept ? 'kept' : before ? 'renewed' : 'invited', differences: [] }
  }
  return {
    user: 'either',
    options: fieldOptions,
    effect: 'change',
    view: invitedView,
    many: {
      rowFlags: ['birthDate', 'sex', 'language', 'unitSystem'],
      copiesColumns: true,
      change: {
        verb: 'invite',
        creates: true,
        fileName: 'links.csv',
        each,
        preview: () => (renewal.earlier.size === 0 ? undefined : preview),
      },
    } satisfies ManySupport,
  } as const
}

interface Conditions extends Renewal {
  step: ChangeStep
  now(): number
}

async function inviteOne(
  ctx: Context,
  invited: InvitedUser,
  { step, now, ...renewal }: Conditions,
): Promise<InvitedRow> {
  const found = await findEarlier(ctx, invited.user, { now, ...renewal })
  const { before, isKept, wasUnclear } = found
  if (before && isKept) return { ...before, status: 'kept' }
  const creation = watchCreation(step, wasUnclear)
  let user_id = found.user_id
  try {
    user_id = await findOrCreate(ctx, invited, { step: creation.step, known: user_id })
    const api = await ctx.api()
    const url = await api.scanUrl({ user: invited.user, query: { expire_at: invited.expireAt } })
    const expires_at = expiryOf(url) ?? (invited.expireAt === undefined ? null : `${invited.expireAt}Z`)
    const status = before ? 'renewed' : 'invited'
    // A user who has scanned since the first invitation needs no reminder. A renewed link therefore keeps the time of the first invitation.
    const invited_at = before?.invited_at ?? new Date(now()).toISOString()
    return { user_id, status, url, expires_at, invited_at, reason: null }
  } catch (error) {
    if (!isAboutUser(error)) throw error
    const reason = error.message.replace(/\s+/g, ' ')
    const status = user_id === null && creation.isUnclear() ? 'unknown' : 'failed'
    // With the user ID, the next run only creates the link.
    user_id ??= before?.user_id ?? null
    return { user_id, status, url: null, expires_at: null, invited_at: before?.invited_at ?? null, reason }
  }
}

/** The row of an earlier run, if it belongs to the user, and whether its link stays valid. `user_id` is set if the user exists. */
async function findEarlier(ctx: Context, user: UserId, { earlier, renew, now }: Omit<Conditions, 'step'>) {
  const row = earlier.get(nameUser(user))
  const identity = row?.user_id ? await compareUser(ctx, user, row.user_id) : 'other'
  const before = row?.invited_at && identity !== 'other' ? row : undefined
  const isExpired = before?.expires_at && Date.parse(before.expires_at) <= now()
  return {
    before,
    isKept: Boolean(before?.url && !isExpired && !renew),
    user_id: identity === 'same' ? (row?.user_id ?? null) : null,
    wasUnclear: row?.status === 'unknown',
  }
}

/** Records whether a creation may have been applied without a complete response. */
function watchCreation(step: ChangeStep, wasUnclear: boolean) {
  let isUnclear = wasUnclear || step.announced !== undefined
  const send: ChangeStep['send'] = async (userId, request) => {
    try {
      const created = await step.send(userId, request)
      isUnclear = false
      return created
    } catch (error) {
      isUnclear ||= mayBeApplied(error)
      throw error
    }
  }
  return { step: { announced: isUnclear ? '' : undefined, send }, isUnclear: () => isUnclear }
}

/**
 * Compares the user with the user of a row. The file may contain links from another service, or links for a user who was deleted later.
 * `unread` means that the service refused to return the user.
 */
async function compareUser(
  ctx: Context,
  user: UserId,
  user_id: string,
): Promise<'same' | 'other' | 'unread'> {
  const api = await ctx.api()
  try {
    return (await api.users.get({ user })).user_id === user_id ? 'same' : 'other'
  } catch (error) {
    // Only `not_found` proves that the link belongs to another user. After any other error, the link is kept.
    if (isAboutUser(error)) return error.code === 'not_found' ? 'other' : 'unread'
    throw error
  }
}

/** Whether an error concerns only one user. An error without a response does not count, because the next run repeats the request. */
function isAboutUser(error: unknown): error is FacescanError {
  return error instanceof ServiceError && ['not_found', 'rejected', 'server'].includes(error.code)
}

/** Returns the user ID. `known` is the ID of a user who exists, and whom only `--existing update` changes. */
async function findOrCreate(
  ctx: Context,
  invited: InvitedUser,
  { step, known }: { step: ChangeStep; known: string | null },
): Promise<string> {
  const api = await ctx.api()
  const { user, existing = 'skip', expectedUserId } = invited
  if ('user_id' in user) return user.user_id
  if (known !== null && existing !== 'update') {
    assertSameUser(known, expectedUserId)
    return known
  }
  const options = { existing, step, ...creationWaits(ctx) }
  await checkSameUser(api, user, expectedUserId)
  return (await createOnce(api, user.external_user_id, toFields(invited), options)).user_id
}

/** The Date header has whole seconds, so smaller differences between the clocks are ignored. */
const headerPrecisionMs = 2_000

/** The clock of the service, from the Date header of a response. Times of scans are later compared with times from this clock. */
async function readServiceClock(ctx: Context): Promise<() => number> {
  const api = await ctx.api()
  const { headers } = await api.attempt(api.contract.questions.all, {})
  const date = Date.parse(headers['date'] ?? '')
  const differenceMs = Number.isNaN(date) ? 0 : date - ctx.clock.now()
  const offsetMs = Math.abs(differenceMs) < headerPrecisionMs ? 0 : differenceMs
  return () => ctx.clock.now() + offsetMs
}
