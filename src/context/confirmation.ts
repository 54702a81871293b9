import { FacescanError, RefusedError, UsageError } from '../base/errors.ts'
import { hideKeysIn } from '../base/mask.ts'
import { count } from '../base/text.ts'
import type { Effect, Endpoint } from '../contract/endpoint.ts'
import type { Call } from '../http/chain.ts'
import { urlOf } from '../http/wire.ts'
import { escapeControls } from '../output/text.ts'
import { changeBy, type GuardedChange, guardChange, warnOfUnlockEnd } from '../profiles/guard.ts'
import { alertProduction, checkUnselected, describeProduction } from '../profiles/session.ts'
import type { UserIds } from './affected-users.ts'
import type { CommandContext } from './command-context.ts'

/** The confirmations of one command. The protection of the profile determines the required flags or answers. */
export class Confirmation {
  readonly #ctx: CommandContext
  readonly #confirmed = new Set<string>()
  #recheck: Recheck = async () => undefined
  /** The effect of the requests in a confirmed run. */
  #runEffect: Effect | undefined

  constructor(ctx: CommandContext) {
    this.#ctx = ctx
  }

  /** Whether the request belongs to a confirmed change of many users. */
  covers({ effect }: Pick<Endpoint, 'effect'>): boolean {
    return effect === this.#runEffect
  }

  /** Asks for confirmation, once per change. Throws RefusedError if the change is not confirmed. */
  async confirm(change: GuardedChange): Promise<void> {
    if (this.covers(change) || this.#confirmed.has(nameOf(change))) return
    const isFirst = this.#confirmed.size === 0 && change.users === undefined
    this.#recheck = await askGuard(this.#ctx, change, { canGoBack: this.#ctx.canGoBack && isFirst })
    this.#confirmed.add(nameOf(change))
    if (change.users) this.#runEffect = change.effect
  }

  /**
   * Throws if the current protection no longer allows the confirmed change. If the change is for several users, the error code is
   * `import_stopped`, because the run can be resumed.
   */
  async recheck(): Promise<void> {
    try {
      await this.#recheck()
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      const code = this.#runEffect === undefined ? 'refused' : 'import_stopped'
      throw new FacescanError(code, error.message, { ...error.details, applied: 'no' })
    }
  }
}

type Recheck = () => Promise<void>

async function askGuard(
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
function nameOf({ effect, userId = '' }: GuardedChange): string {
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
