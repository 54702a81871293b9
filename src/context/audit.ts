import { once } from '../base/once.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { urlOf, type WireReply, type WireRequest } from '../http/wire.ts'
import type { NewIntent, NewOutcome, OpenEntry } from '../profiles/history.ts'
import { findUser, identityIn, type UserIds } from './affected-user.ts'
import type { LocalContext } from './composition.ts'

interface Pending {
  entry: OpenEntry
  user: UserIds
  /** The last attempt: undefined before it, null without a reply. */
  last: WireReply | null | undefined
}

/** The audit log of one command: the intent of each change before its request is sent, and the outcome after it. */
export function createAudit(ctx: LocalContext) {
  const pending = new Map<WireRequest, Pending>()
  const known: UserIds[] = []
  let latestRead: { request: WireRequest; reply: WireReply } | undefined
  let openImport: OpenEntry | undefined
  const findWriter = once(() => openWriter(ctx))

  return {
    /** Keeps both IDs of a user, because a request contains only one of them. */
    learn: (user: UserIds) => void known.push(user),
    /** Keeps a read: it may have returned the internal ID of the user that the next request changes. */
    observe(request: WireRequest, reply: WireReply | undefined): undefined {
      if (reply) latestRead = { request, reply }
    },
    /** Writes the intent of a change. Throws if it cannot be written. */
    async begin(endpoint: Endpoint, request: WireRequest): Promise<void> {
      if (latestRead) known.push(learnFrom(latestRead.request, latestRead.reply))
      const user = findUser(request, known)
      const entry = await (await findWriter())?.(await describeRequest(endpoint, user, ctx))
      if (entry) pending.set(request, { entry, user, last: undefined })
    },
    /** Keeps the reply of an attempt; undefined if no reply arrived. */
    attempted(request: WireRequest, reply: WireReply | undefined): void {
      Object.assign(pending.get(request) ?? {}, { last: reply ?? null })
    },
    /** Writes the outcome of a change; `reply` is undefined if it failed. */
    async end(request: WireRequest, reply: WireReply | undefined): Promise<void> {
      const change = pending.get(request)
      pending.delete(request)
      if (change) await finish(ctx, change.entry, await toOutcome(change, reply, ctx))
    },
    async beginImport(detail: string): Promise<void> {
      openImport = await (await findWriter())?.({ is_import: true, detail })
    },
    async endImport(result: NewOutcome): Promise<void> {
      if (openImport) await finish(ctx, openImport, result)
      openImport = undefined
    },
  }
}

/** The change is made by now, so a missing outcome is a warning. */
function finish(ctx: LocalContext, entry: OpenEntry, outcome: NewOutcome): Promise<void> {
  return entry.end(outcome).catch(({ message }: Error) => {
    ctx.warn(`could not write the outcome to the audit log: ${message}`)
  })
}

type ChangeFacts = Omit<NewIntent, 'profile' | 'host' | 'fingerprint' | 'command' | 'reason'>

/** Returns the function that writes the intents of one session; undefined for the built-in sandbox, which is not logged. */
async function openWriter(ctx: LocalContext) {
  const { environment, profile, baseUrl, credential, unlockReason } = await ctx.session()
  if (environment === 'sandbox') return undefined
  const { openEntry } = await import('../profiles/history.ts')
  const fixed = {
    profile,
    host: baseUrl === undefined ? null : new URL(baseUrl).host,
    fingerprint: credential?.fingerprint ?? null,
    command: ctx.command,
    reason: unlockReason ?? null,
  }
  return (facts: ChangeFacts) => openEntry(ctx.paths, () => ctx.clock.now(), { ...fixed, ...facts })
}

async function describeRequest(endpoint: Endpoint, user: UserIds, ctx: LocalContext): Promise<ChangeFacts> {
  const { findRoute } = await import('../contract/index.ts')
  const { hashExternalId } = await import('../profiles/history.ts')
  const id = user.externalUserId
  return {
    method: endpoint.method,
    // As the contract spells it: the path of a raw call may contain an ID.
    path: findRoute(endpoint.method, endpoint.path)?.endpoint.path ?? '(not in the contract)',
    user_id: user.userId ?? null,
    external_id_hash:
      id === undefined ? null : ((await hashExternalId(ctx.paths, id, { create: true })) ?? null),
  }
}

async function toOutcome(
  { user, last }: Pending,
  reply: WireReply | undefined,
  ctx: LocalContext,
): Promise<NewOutcome> {
  const { credential } = await ctx.session()
  const { boundedId } = await import('../profiles/history-line.ts')
  const shown = reply ?? last ?? undefined
  const secret = credential?.secret.reveal()
  const forbidden = [user.externalUserId, secret].filter((part) => part !== undefined)
  return {
    outcome: reply ? 'done' : outcomeOf(last),
    status: shown?.status ?? null,
    request_id: boundedId(shown?.headers['x-request-id'], forbidden),
    user_id: (reply && identityIn(reply)) ?? null,
  }
}

/** The outcome of a change that did not succeed. A server error or a lost reply leaves open whether it was made. */
function outcomeOf(last: WireReply | null | undefined): NewOutcome['outcome'] {
  if (last === undefined) return 'not sent'
  if (last === null || last.status >= 500 || last.status === 408 || last.status < 300) return 'unknown'
  return 'failed'
}

/** Both IDs of a user, if the read was by external ID and returned the internal ID. */
function learnFrom(request: WireRequest, reply: WireReply): UserIds {
  const externalUserId = urlOf(request).searchParams.get('external_user_id') ?? undefined
  return externalUserId === undefined ? {} : { externalUserId, userId: identityIn(reply) }
}
