import { UsageError } from '../base/errors.ts'
import { hideKeysIn } from '../base/mask.ts'
import { count } from '../base/text.ts'
import type { Effect } from '../contract/endpoint.ts'
import type { Call } from '../http/chain.ts'
import { urlOf } from '../http/wire.ts'
import { escapeControls } from '../output/text.ts'
import { changeBy, type GuardedChange, guardChange, warnOfUnlockEnd } from '../profiles/guard.ts'
import { alertProduction, checkUnselected, describeProduction } from '../profiles/session.ts'
import type { UserIds } from './affected-users.ts'
import type { CommandContext } from './command-context.ts'

/** Throws if the current protection no longer allows the confirmed change. */
export type Recheck = () => Promise<void>

/** Asks for confirmation if the profile requires it. Returns a check to call before each request. */
export async function askGuard(
  ctx: CommandContext,
  change: GuardedChange,
  options: { canGoBack: boolean },
): Promise<Recheck> {
  const session = await ctx.session()
  checkUnselected(session, change.effect, ctx.io)
  const warning = change.users && warnOfUnlockEnd(change, await session.current(), ctx.clock.now())
  if (warning) ctx.warn(warning)
  let isAsked = false
  const beforeQuestion = async () => {
    isAsked = true
    alertProduction(session, ctx)
    const { firstUsers = [] } = change
    const others = (change.users ?? 0) - firstUsers.length
    const more = others > 0 ? `, and ${count(others)} more` : ''
    if (firstUsers.length > 0)
      ctx.io.stderr.write(`first users: ${escapeControls(firstUsers.join(', '))}${more}\n`)
  }
  const recheck = await guardChange(change, session.current, {
    clock: ctx.clock,
    flags: ctx.flags,
    ask: {
      possible: ctx.ask.possible,
      confirm: (question) => ctx.ask.confirm(question, options),
      text: (question) => ctx.ask.text(question, options),
    },
    beforeQuestion,
  })
  const text = describeProduction(session)
  if (text !== undefined && !isAsked) ctx.note(text)
  if (text !== undefined && ctx.env['FACESCAN_STATE_DIR'])
    ctx.note(`FACESCAN_STATE_DIR moves the audit log to ${hideKeysIn(ctx.paths.state ?? '')}`)
  return recheck
}

/** The scope of a confirmation: the deletion of one user, or all changes of the command. */
export function nameOf({ effect, userId = '' }: GuardedChange): string {
  return effect === 'destroy' ? `destroy ${userId}` : effect
}

export function changeOf(
  { endpoint, request, input }: Call,
  { externalUserId, userId }: UserIds,
): GuardedChange {
  const isRaw = input.route !== undefined
  const query = urlOf(request).searchParams
  assertOneUser(query, endpoint.effect)
  return {
    ...changeBy(endpoint, isRaw ? undefined : (externalUserId ?? userId)),
    userId: query.get('user_id') ?? undefined,
    externalUserId: query.get('external_user_id') ?? undefined,
  }
}

/**
 * Throws if a query could select a user who was not confirmed. In a deletion, only one parameter is allowed: `user_id` or
 * `external_user_id`. In other changes, at most one user ID is allowed. Services may ignore case, spaces, and brackets in parameter names.
 */
function assertOneUser(query: URLSearchParams, effect: Effect): void {
  const all = [...query.keys()]
  const names = all.filter((name) => /user[^a-z]*id/i.test(name))
  const isExact = all.length === 1 && /^(external_)?user_id=./.test(query.toString())
  if (effect === 'destroy' ? isExact : names.length < 2) return
  throw new UsageError(`the query contains ${all.join(' and ') || 'no user ID'}; nothing was sent`, {
    hint:
      effect === 'destroy'
        ? 'For a deletion, pass user_id or external_user_id once, without other parameters.'
        : 'Pass only one user ID parameter per request.',
  })
}
