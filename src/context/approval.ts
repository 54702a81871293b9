import { UsageError } from '../base/errors.ts'
import type { Context } from '../command/context.ts'
import type { Effect, Endpoint } from '../contract/endpoint.ts'
import { urlOf, type WireReply, type WireRequest } from '../http/wire.ts'
import type { GuardedChange } from '../profiles/guard.ts'
import { type Audit, openAudit } from './audit.ts'

/** What stands between a command and the service: the production guard before each change, the audit log after it. */
export interface Approval {
  /** Asks before a change; what was approved once is not asked for again by the requests that make it up. */
  approve(change: GuardedChange): Promise<void>
  /** Called for each request; throws where a change must not be sent. */
  before(endpoint: Endpoint, request: WireRequest): Promise<void> | undefined
  /** Called for each attempt; `reply` is undefined where no answer came. */
  after(endpoint: Endpoint, reply: WireReply | undefined): Promise<void> | undefined
  /** Whether the service took a change. */
  hasChanged(): boolean
  /** Resolves when everything is in the log. */
  close(): Promise<void>
}

export function createApproval(ctx: Omit<Context, 'approve'>): Approval {
  const approved = new Set<string>()
  /** Effects of which no further request needs to ask. */
  const ready = new Set<Effect>(['read'])
  let isBulk = false
  let opening: Promise<Audit | undefined> | undefined
  let audit: Audit | undefined
  let hasChanged = false

  const approve = async (change: GuardedChange): Promise<void> => {
    if (change.effect === 'read' || approved.has(nameOf(change))) return
    await askGuard(ctx, change)
    approved.add(nameOf(change))
    isBulk ||= change.bulk === true
  }
  const prepare = async (endpoint: Endpoint, request: WireRequest): Promise<void> => {
    await approve(toChange(endpoint, request))
    opening ??= openAudit(ctx, isBulk)
    audit = await opening
    await audit?.prepare()
    if (endpoint.effect !== 'destroy') ready.add(endpoint.effect)
  }
  return {
    approve,
    before: (endpoint, request) => (ready.has(endpoint.effect) ? undefined : prepare(endpoint, request)),
    after(endpoint, reply) {
      if (endpoint.effect === 'read') return undefined
      hasChanged ||= reply !== undefined && reply.status < 300
      const logged = audit?.record(endpoint, reply)
      return isBulk ? undefined : logged
    },
    hasChanged: () => hasChanged,
    close: async () => audit?.close(),
  }
}

async function askGuard(ctx: Omit<Context, 'approve'>, change: GuardedChange): Promise<void> {
  const { guardChange } = await import('../profiles/guard.ts')
  const { yes, confirm } = ctx.flags
  await guardChange(
    change,
    await ctx.session(),
    { interactive: ctx.ask.possible, yes, confirm },
    {
      agree: (question) => ctx.ask.confirm(question),
      type: (question) => ctx.ask.text(question),
    },
  )
}

/** A deletion is approved for one user, any other change for the whole command. */
function nameOf({ effect, userId = '' }: GuardedChange): string {
  return effect === 'destroy' ? `destroy ${userId}` : effect
}

function toChange(endpoint: Endpoint, request: WireRequest): GuardedChange {
  const query = urlOf(request).searchParams
  return {
    effect: endpoint.effect,
    summary: lowerFirst(endpoint.summary),
    userId: onlyValue(query, 'user_id'),
    externalUserId: onlyValue(query, 'external_user_id'),
  }
}

/** A confirmation names one user, so a request that names several is refused. */
function onlyValue(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name)
  if (values.length < 2) return values[0]
  throw new UsageError(`${name} appears ${values.length} times in the query; nothing was sent`, {
    hint: 'Change one user per request.',
  })
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
