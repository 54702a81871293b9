import type { Context } from './context.ts'
import type { Endpoint } from './contract/endpoint.ts'
import type { WireReply, WireRequest } from './http/wire.ts'
import type { GuardedChange } from './profiles/guard.ts'
import type { History, HistoryEntry } from './profiles/history.ts'

/** What stands between a command and the service: the production guard before each change, the audit log after it. */
export interface Approval {
  /** Asks before a change; what was approved once is not asked for again by the requests that make it up. */
  approve(change: GuardedChange): Promise<void>
  /** Called for each request; throws where a change must not be sent. */
  before(endpoint: Endpoint, request: WireRequest): Promise<void>
  /** Called for each attempt; `reply` is undefined where no answer came. */
  after(endpoint: Endpoint, reply: WireReply | undefined): Promise<void>
  /** Resolves when everything is in the log. */
  close(): Promise<void>
}

export function createApproval(ctx: Omit<Context, 'approve'>): Approval {
  const approved = new Set<string>()
  let history: History | undefined
  let isBulk = false
  let logged: Promise<void> = Promise.resolve()
  let hasWarned = false
  const templates = new Map<string, string>()

  const warnOnce = ({ message }: Error): void => {
    if (!hasWarned) ctx.warn(`not in the audit log: ${message}`)
    hasWarned = true
  }

  const approve = async (change: GuardedChange): Promise<void> => {
    if (change.effect === 'read' || approved.has(nameOf(change))) return
    const { guardChange } = await import('./profiles/guard.ts')
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
    approved.add(nameOf(change))
    isBulk ||= change.bulk === true
  }
  const openLog = async (): Promise<History> => {
    const { openHistory } = await import('./profiles/history.ts')
    history ??= openHistory(ctx.paths)
    return history
  }
  return {
    approve,
    async before(endpoint, request) {
      if (endpoint.effect === 'read') return
      await approve(toChange(endpoint, request))
      if (await isLogged(ctx)) await (await openLog()).prepare()
    },
    async after(endpoint, reply) {
      if (endpoint.effect === 'read' || !(await isLogged(ctx))) return
      const entry = await describeAttempt(ctx, endpoint, reply, templates)
      // The change is made by now, so a full disk must not look like a failed change.
      logged = (await openLog()).record(entry).catch(warnOnce)
      // An import has a journal for what must outlive a crash, and need not wait for the disk twice.
      if (!isBulk) await logged
    },
    close: () => logged,
  }
}

/** A deletion is approved for one user, any other change for the whole command. */
function nameOf({ effect, userId = '' }: GuardedChange): string {
  return effect === 'destroy' ? `destroy ${userId}` : effect
}

function toChange(endpoint: Endpoint, request: WireRequest): GuardedChange {
  const userId = request.url.searchParams.get('user_id') ?? undefined
  return { effect: endpoint.effect, summary: lowerFirst(endpoint.summary), userId }
}

/** Changes in the built-in sandbox are nobody's data. */
async function isLogged(ctx: Pick<Context, 'session'>): Promise<boolean> {
  return (await ctx.session()).environment !== 'sandbox'
}

async function describeAttempt(
  ctx: Omit<Context, 'approve'>,
  endpoint: Endpoint,
  reply: WireReply | undefined,
  templates: Map<string, string>,
): Promise<HistoryEntry> {
  const session = await ctx.session()
  const line = `${endpoint.method} ${endpoint.path}`
  const path = templates.get(line) ?? (await findTemplate(endpoint))
  templates.set(line, path)
  return {
    time: new Date(ctx.clock.now()).toISOString(),
    profile: session.profile,
    fingerprint: session.credential?.fingerprint ?? null,
    command: ctx.command,
    method: endpoint.method,
    path,
    status: reply?.status ?? null,
    request_id: reply?.headers['x-request-id'] ?? null,
    reason: session.unlockReason ?? null,
  }
}

/** The path as the contract spells it: that of a raw call may hold an id. */
async function findTemplate({ method, path }: Endpoint): Promise<string> {
  const { findEndpoint } = await import('./contract/index.ts')
  return findEndpoint(method, path)?.path ?? '(path unknown to the contract)'
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
