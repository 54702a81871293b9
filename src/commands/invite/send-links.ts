import { mayBeApplied } from '../../base/errors.ts'
import { once } from '../../base/functions.ts'
import type { Context } from '../../framework/context.ts'
import type { ChangeStep, ManySupport, Preview } from '../../framework/many/options.ts'
import { assertSameUser, type UserId } from '../../framework/user.ts'
import { expiryOf } from '../../http/expiry.ts'
import type { RecordView } from '../../output/view.ts'
import { assertSafeLink } from '../deliver.ts'
import { type CreationReplies, type CreationRun, createOnce, type ListedUser } from '../users/create-once.ts'
import { fieldNames, fieldOptions } from '../users/fields.ts'
import { sendForNew } from '../users/read-user.ts'
import { findEarlierLink, type InvitedRow, isAboutUser, type Renewal } from './earlier-links.ts'

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

interface InvitedUser extends ListedUser {
  expireAt?: string | undefined
}

/** The command for one row. Creates the user if necessary, and then a link. `tally` counts the rows of this run. */
export function invitation(renewal: Renewal, tally: (row: InvitedRow) => void) {
  const clock = once((ctx: Context) => readServiceClock(ctx))
  const replies: CreationReplies = {}
  const each = async (ctx: Context, invited: InvitedUser, step: ChangeStep) => {
    const row = await inviteOne(ctx, invited, { ...renewal, step, replies, now: await clock(ctx) })
    tally(row)
    return row
  }
  const preview = async (ctx: Context, { user }: { user: UserId }): Promise<Preview> => {
    const { before, isKept } = await findEarlierLink(ctx, user, { ...renewal, now: ctx.clock.now })
    return { status: isKept ? 'kept' : before ? 'renewed' : 'invited', differences: [] }
  }
  return {
    user: 'either',
    options: fieldOptions,
    effect: 'change',
    view: invitedView,
    many: {
      rowFlags: fieldNames,
      copiesColumns: true,
      change: {
        verb: 'invite',
        creates: true,
        kept: 'kept',
        failures: ['failed', 'unknown'],
        each,
        preview: () => (renewal.earlier.size === 0 ? undefined : preview),
      },
    } satisfies ManySupport,
  } as const
}

interface Conditions extends Renewal, CreationRun {
  now(): number
}

async function inviteOne(
  ctx: Context,
  invited: InvitedUser,
  { step, replies, now, ...renewal }: Conditions,
): Promise<InvitedRow> {
  const found = await findEarlierLink(ctx, invited.user, { now, ...renewal })
  const { before, isKept, wasUnclear } = found
  if (before && isKept) return { ...before, status: 'kept' }
  const creation = watchCreation(step, wasUnclear)
  let user_id = found.user_id
  try {
    const user = await findOrCreate(ctx, invited, { step: creation.step, replies, known: user_id })
    user_id = user.user_id
    const url = await createLink(ctx, invited, user.status)
    assertSafeLink(url)
    const expires_at = expiryOf(url) ?? (invited.expireAt === undefined ? null : `${invited.expireAt}Z`)
    const status = before ? 'renewed' : 'invited'
    // A renewed link keeps the time of the first invitation, because a user who has scanned since then needs no reminder.
    const invited_at = before?.invited_at ?? new Date(now()).toISOString()
    return { user_id, status, url, expires_at, invited_at, reason: null }
  } catch (error) {
    if (!isAboutUser(error)) throw error
    const reason = error.message.replace(/\s+/g, ' ')
    const status = user_id === null && creation.isUnclear() ? 'unknown' : 'failed'
    // Keeps the user ID from an earlier run in the row, so that the next run creates only the link and not the user again.
    user_id ??= before?.user_id ?? null
    return { user_id, status, url: null, expires_at: null, invited_at: before?.invited_at ?? null, reason }
  }
}

async function createLink(ctx: Context, { user, expireAt }: InvitedUser, status: string): Promise<string> {
  const api = await ctx.api()
  const send = () => api.scanUrl({ user, query: { expire_at: expireAt } })
  return status === 'created' || status === 'unknown' ? sendForNew(ctx, send) : send()
}

/** Records whether the service may have created the user although no complete response arrived. */
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

/** Finds or creates the user. `known` is the ID of an existing user. Only `--existing update` changes an existing user. */
async function findOrCreate(
  ctx: Context,
  invited: InvitedUser,
  { known, ...run }: CreationRun & { known: string | null },
): ReturnType<typeof createOnce> {
  const { user, existing, expectedUserId } = invited
  if ('user_id' in user) return { user_id: user.user_id, status: 'existing' }
  if (known !== null && existing !== 'update') {
    assertSameUser(known, expectedUserId)
    return { user_id: known, status: 'existing' }
  }
  return createOnce(ctx, invited, run)
}

/** The Date header has whole seconds, so clock differences below this limit are ignored. */
const headerPrecisionMs = 2_000

/** The clock of the service, from the Date header of a response. The times of scans also use this clock. */
async function readServiceClock(ctx: Context): Promise<() => number> {
  const api = await ctx.api()
  const { headers } = await api.attempt(api.contract.questions.all, {})
  const date = Date.parse(headers['date'] ?? '')
  const differenceMs = Number.isNaN(date) ? 0 : date - ctx.clock.now()
  const offsetMs = Math.abs(differenceMs) < headerPrecisionMs ? 0 : differenceMs
  return () => ctx.clock.now() + offsetMs
}
