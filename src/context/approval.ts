import { FacescanError, RefusedError, UsageError } from '../base/errors.ts'
import { count } from '../base/text.ts'
import type { Effect, Endpoint } from '../contract/endpoint.ts'
import type { UserId } from '../framework/user.ts'
import { urlOf, type WireReply, type WireRequest } from '../http/wire.ts'
import { escapeControls } from '../output/text.ts'
import type { GuardedChange } from '../profiles/guard.ts'
import type { Session } from '../profiles/session.ts'
import { CommandAudit } from './audit.ts'
import type { LocalContext } from './composition.ts'

export type Approval = ReturnType<typeof createApproval>

/** The checks around each change: the production guard and the intent in the audit log before it, the outcome after it. See `ExchangeOptions`. */
export function createApproval(ctx: LocalContext) {
  const approved = new Set<string>()
  let recheck: Recheck = async () => undefined
  const audit = new CommandAudit(ctx)
  let listEffect: Effect | undefined
  let hasChanged = false

  /** The change of many users is approved and logged once for all of its requests. */
  const isReady = (effect: Effect) => effect === 'read' || effect === listEffect
  /** Asks before a change. The requests of an approved change do not ask again. */
  const approve = async (change: GuardedChange): Promise<void> => {
    if (isReady(change.effect) || approved.has(nameOf(change))) return
    recheck = await askGuard(ctx, change)
    approved.add(nameOf(change))
    audit.learn(change)
    if (!change.users) return
    listEffect = change.effect
    await audit.beginImport(change.summary)
  }
  return {
    approve,
    beforeAttempt: async ({ effect }: Endpoint): Promise<void> => {
      if (effect !== 'read') await recheckAttempt(recheck, listEffect !== undefined)
    },
    async before(endpoint: Endpoint, request: WireRequest, kind?: 'single attempt'): Promise<void> {
      if (isReady(endpoint.effect)) return audit.continueList(endpoint, request)
      if (kind !== undefined) throw new Error(`${kind} of ${endpoint.method} ${endpoint.path} outside a run`)
      await approve(toChange(endpoint, request, ctx.target.user))
      await audit.begin(endpoint, request)
    },
    after({ effect }: Endpoint, _: WireRequest, reply: WireReply | undefined): void {
      hasChanged ||= effect !== 'read' && reply !== undefined && reply.status < 300
    },
    settled: audit.settled.bind(audit),
    concludeImport: audit.endImport.bind(audit),
    hasChanged: () => hasChanged,
    close: () => audit.close(),
  }
}

/** `production: ACME at api.example.com`; undefined for any other environment. */
export function describeProduction({ environment, profile, baseUrl }: Session): string | undefined {
  if (environment !== 'production' || baseUrl === undefined) return undefined
  return `production: ${profile ?? 'API key (no profile)'} at ${new URL(baseUrl).host}`
}

/** Before a question about production, a terminal shows the service so that it stands out, also without color. */
export async function alertProduction({
  session,
  io,
  pen,
}: Pick<LocalContext, 'session' | 'io' | 'pen'>): Promise<void> {
  const text = describeProduction(await session())
  const { red, bold } = pen('stderr')
  if (text !== undefined)
    io.stderr.write(`${red(bold(escapeControls(text.replace('production', 'PRODUCTION'))))}\n`)
}

async function askGuard(ctx: LocalContext, change: GuardedChange): Promise<Recheck> {
  const [{ guardChange, warnOfUnlockEnd }, { checkUnselected }] = await Promise.all([
    import('../profiles/guard.ts'),
    import('../profiles/unselected.ts'),
  ])
  const session = await ctx.session()
  checkUnselected(session, change.effect, ctx.io)
  const warning = change.users && warnOfUnlockEnd(change, await session.current(), ctx.clock.now())
  if (warning) ctx.warn(warning)
  let isAsked = false
  const beforeQuestion = async () => {
    isAsked = true
    await alertProduction(ctx)
    const { firstUsers = [] } = change
    const others = (change.users ?? 0) - firstUsers.length
    const more = others > 0 ? `, and ${count(others)} more` : ''
    if (firstUsers.length > 0) ctx.io.stderr.write(`${escapeControls(firstUsers.join(', '))}${more}\n`)
  }
  const recheck = await guardChange(change, session.current, {
    flags: ctx.flags,
    ask: ctx.ask,
    beforeQuestion,
  })
  const text = describeProduction(session)
  if (text !== undefined && !isAsked) ctx.note(text)
  if (text !== undefined && ctx.env['FACESCAN_STATE_DIR'])
    ctx.note(`FACESCAN_STATE_DIR moves the audit log to ${ctx.paths.state}`)
  return recheck
}

type Recheck = () => Promise<void>

/** Throws if the current protection no longer allows the confirmed change. A list that is stopped can be resumed. */
async function recheckAttempt(recheck: Recheck, isList: boolean): Promise<void> {
  try {
    await recheck()
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    const code = isList ? 'import_stopped' : 'refused'
    throw new FacescanError(code, error.message, { ...error.details, applied: 'no' })
  }
}

/** A deletion is approved for one user, any other change for the entire command. */
function nameOf({ effect, userId = '' }: GuardedChange): string {
  return effect === 'destroy' ? `destroy ${userId}` : effect
}

function toChange(endpoint: Endpoint, request: WireRequest, typed: UserId | undefined): GuardedChange {
  const query = urlOf(request).searchParams
  assertOneUser(query, endpoint.effect)
  return {
    effect: endpoint.effect,
    summary: lowerFirst(endpoint.summary.replace(/;.*/, '')),
    subject: typed && `user ${Object.values(typed)[0]}`,
    userId: query.get('user_id') ?? undefined,
    externalUserId: query.get('external_user_id') ?? undefined,
  }
}

/**
 * A confirmation names one user. A service may ignore case, spaces, and brackets in the name of a parameter, so a deletion accepts
 * only one parameter with an exact name.
 */
function assertOneUser(query: URLSearchParams, effect: Effect): void {
  const all = [...query.keys()]
  const names = all.filter((name) => /user[^a-z]*id/i.test(name))
  const isUnknown = effect === 'destroy' && all.some((name) => !/^(external_)?user_id$/.test(name))
  if (names.length < 2 && !isUnknown) return
  throw new UsageError(`the query contains ${all.join(' and ')}; nothing was sent`, {
    hint: isUnknown
      ? 'Pass only user_id or external_user_id, once, to a deletion.'
      : 'Pass only one user ID parameter per request.',
  })
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
