import { boundedId, type NewIntent, type NewOutcome } from '../audit/entry.ts'
import { hashWithKey, readHashKey } from '../audit/files.ts'
import { AuditLog, type EndEntry } from '../audit/log.ts'
import { type ErrorDetails, FacescanError } from '../base/errors.ts'
import { once } from '../base/functions.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { findRoute } from '../contract/index.ts'
import type { Call, Send } from '../http/chain.ts'
import { requestIdOf, type WireReply } from '../http/wire.ts'
import { findUser, identityIn, learnFrom, type ReadRequest, type UserIds } from './affected-user.ts'
import type { CommandContext } from './command-context.ts'

/** The audit log of one command: the intent of each change before its request is sent, and the outcome after it. */
export class CommandAudit {
  readonly #ctx: CommandContext
  /** External user IDs of the users that a list has read and not changed yet, by their user IDs. */
  readonly #listed = new Map<string, string>()
  readonly #findWriter: () => Promise<LogWriter | undefined>
  #writer: LogWriter | undefined
  #endRun: EndEntry | undefined

  constructor(ctx: CommandContext) {
    this.#ctx = ctx
    this.#findWriter = once(async () => {
      this.#writer = await openWriter(ctx)
      return this.#writer
    })
  }

  /** Sends a change between its intent and its outcome. Throws if the intent cannot be written. */
  async change(call: Call, next: Send, known: readonly UserIds[]): Promise<WireReply> {
    const user = findUser(call.request, known)
    const writer = await this.#findWriter()
    const endEntry = await writer?.begin(await describeRequest(call.endpoint, user, writer))
    return this.#sendBetween(call, next, user, endEntry)
  }

  /** Sends a request of a confirmed list, and adds the entry of its user. Throws if the list must stop. */
  async changeListed(call: Call, next: Send): Promise<WireReply> {
    const writer = await this.#findWriter()
    writer?.assertOpen()
    if (!writer || !isAboutUser(call.endpoint)) return next(call)
    const ids = findUser(call.request, [])
    const user = { ...ids, externalUserId: ids.externalUserId ?? this.#listed.get(ids.userId ?? '') }
    this.#listed.delete(ids.userId ?? '')
    const facts = await describeRequest(call.endpoint, user, writer)
    return this.#sendBetween(call, next, user, async (outcome) => {
      // Any other outcome changed nothing.
      if (outcome.outcome === 'done' || outcome.outcome === 'unknown') writer.add(facts, outcome)
    })
  }

  /** Throws if a run must not send another change. */
  async assertOpen(): Promise<void> {
    ;(await this.#findWriter())?.assertOpen()
  }

  /** Keeps both IDs of a user that a list has read, because the next request contains only one of them. */
  keepRead(endpoint: Endpoint, read: ReadRequest): void {
    if (this.#endRun === undefined || !isAboutUser(endpoint)) return
    for (const { userId, externalUserId } of learnFrom(read))
      if (userId !== undefined && externalUserId !== undefined) this.#listed.set(userId, externalUserId)
  }

  /** Starts the entry of many changes: a list, or an import. */
  async beginRun(detail: string): Promise<void> {
    this.#endRun = await (await this.#findWriter())?.begin({ is_import: true, detail })
  }

  async endRun(result: NewOutcome): Promise<void> {
    if (this.#endRun) await this.#finish(this.#endRun, result)
    this.#endRun = undefined
  }

  /** Throws if the audit command did not accept all entries. */
  async close(): Promise<void> {
    await this.endRun({ outcome: 'unknown', detail: 'interrupted before completion' })
    await this.#writer?.close()
  }

  async #sendBetween(call: Call, next: Send, user: UserIds, endEntry: EndEntry | undefined) {
    if (!endEntry) return next(call)
    const end = async (result: { reply: WireReply } | { error: unknown }) =>
      this.#finish(endEntry, await toOutcome(user, result, this.#ctx))
    try {
      const reply = await next(call)
      await end({ reply })
      return reply
    } catch (error) {
      await end({ error })
      throw error
    }
  }

  /** The change is made by now, so a missing outcome is a warning. */
  #finish(endEntry: EndEntry, outcome: NewOutcome): Promise<void> {
    return endEntry(outcome).catch(({ message }: Error) => {
      this.#ctx.warn(`could not write the outcome to the audit log: ${message}`)
    })
  }
}

/** Whether the request reads, creates, updates, or deletes a user. */
const isAboutUser = ({ path }: Endpoint) => path.startsWith('/v2/users')

type ChangeFacts = Omit<NewIntent, 'profile' | 'host' | 'fingerprint' | 'command' | 'reason'>

type LogWriter = NonNullable<Awaited<ReturnType<typeof openWriter>>>

/** Opens the log of one session; undefined for the built-in sandbox, which is not logged. */
async function openWriter(ctx: CommandContext) {
  const { environment, profile, baseUrl, credential, unlockReason, auditCommand } = await ctx.session()
  if (environment === 'sandbox') return undefined
  const log = new AuditLog({ paths: ctx.paths, env: ctx.env, clock: ctx.clock, auditCommand })
  const hashKey = once(() => readHashKey(ctx.paths, { create: true }))
  const fixed = {
    profile,
    host: baseUrl === undefined ? null : new URL(baseUrl).host,
    fingerprint: credential?.fingerprint ?? null,
    command: ctx.command,
    reason: unlockReason ?? null,
  }
  return {
    begin: (facts: ChangeFacts) => log.begin({ ...fixed, ...facts }),
    add: (facts: ChangeFacts, outcome: NewOutcome) => log.add({ ...fixed, ...facts }, outcome),
    assertOpen: () => log.assertOpen(),
    hash: async (id: string) => hashWithKey((await hashKey()) ?? '', id),
    close: () => log.close(),
  }
}

async function describeRequest(
  endpoint: Endpoint,
  { userId, externalUserId }: UserIds,
  { hash }: Pick<LogWriter, 'hash'>,
): Promise<ChangeFacts> {
  return {
    method: endpoint.method,
    // As the contract spells it: the path of a raw call may contain an ID.
    path: findRoute(endpoint.method, endpoint.path)?.endpoint.path ?? '(not in the API specification)',
    user_id: userId ?? null,
    external_id_hash: externalUserId === undefined ? null : await hash(externalUserId),
  }
}

async function toOutcome(
  user: UserIds,
  end: { reply: WireReply } | { error: unknown },
  ctx: CommandContext,
): Promise<NewOutcome> {
  const { credential } = await ctx.session()
  const personal = [user.externalUserId, credential?.secret.reveal()].filter((part) => part !== undefined)
  const { applied, status, requestId } = detailsOf(end)
  return {
    outcome: applied === undefined ? 'not sent' : outcomes[applied],
    status: status ?? null,
    request_id: boundedId(requestId, personal),
    user_id: ('reply' in end && identityIn(end.reply)) || null,
  }
}

function detailsOf(end: { reply: WireReply } | { error: unknown }): ErrorDetails {
  if ('error' in end) return end.error instanceof FacescanError ? end.error.details : { applied: 'maybe' }
  const { status } = end.reply
  const requestId = requestIdOf(end.reply)
  return { applied: 'yes', status, ...(requestId !== undefined && { requestId }) }
}

const outcomes = { yes: 'done', no: 'failed', maybe: 'unknown' } as const
