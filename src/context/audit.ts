import type { NewIntent, NewOutcome } from '../audit/entry.ts'
import type { EndEntry } from '../audit/log.ts'
import { type ErrorDetails, FacescanError } from '../base/errors.ts'
import { once, orUndefined } from '../base/functions.ts'
import { fieldsOf } from '../base/json.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { toUuid } from '../contract/values.ts'
import type { CallEnd } from '../http/exchange.ts'
import { requestIdOf } from '../http/reply.ts'
import { urlOf, type WireReply, type WireRequest } from '../http/wire.ts'
import type { LocalContext } from './composition.ts'

interface UserIds {
  userId?: string | undefined
  externalUserId?: string | undefined
}

interface Pending {
  endEntry: EndEntry
  user: UserIds
}

/** A read that may have returned the internal ID of the user that the next request changes. Parsed only if a change follows. */
type Read = readonly [request?: WireRequest, reply?: WireReply | undefined]

/** The audit log of one command: the intent of each change before its request is sent, and the outcome after it. */
export class CommandAudit {
  readonly #ctx: LocalContext
  readonly #pending = new Map<WireRequest, Pending>()
  readonly #known: UserIds[] = []
  /** External user IDs of the users that a list has read and not changed yet, by their user IDs. */
  readonly #listed = new Map<string, string>()
  readonly #findWriter: () => Promise<Writer | undefined>
  #writer: Writer | undefined
  #latestRead: Read = []
  #endOpenImport: EndEntry | undefined

  constructor(ctx: LocalContext) {
    this.#ctx = ctx
    this.#findWriter = once(async () => {
      this.#writer = await openWriter(ctx)
      return this.#writer
    })
  }

  /** Keeps both IDs of a user, because a request contains only one of them. */
  learn(user: UserIds): void {
    this.#known.push(user)
  }

  /** Writes the intent of a change. Throws if it cannot be written. */
  async begin(endpoint: Endpoint, request: WireRequest): Promise<void> {
    this.#known.push(...learnFrom(this.#latestRead))
    const user = findUser(request, this.#known)
    const writer = await this.#findWriter()
    const endEntry = await writer?.begin(await describeRequest(endpoint, user, writer))
    if (endEntry) this.#pending.set(request, { endEntry, user })
  }

  /** Prepares the entry of one user of a list. Throws if the list must stop. */
  async continueList(endpoint: Endpoint, request: WireRequest): Promise<void> {
    if (endpoint.effect === 'read') return
    const writer = await this.#findWriter()
    writer?.assertOpen()
    if (!writer || !isAboutUser(endpoint)) return
    const ids = findUser(request, [])
    const user = { ...ids, externalUserId: ids.externalUserId ?? this.#listed.get(ids.userId ?? '') }
    this.#listed.delete(ids.userId ?? '')
    const facts = await describeRequest(endpoint, user, writer)
    const endEntry = async (outcome: NewOutcome) => {
      // Any other outcome changed nothing.
      if (outcome.outcome === 'done' || outcome.outcome === 'unknown') writer.add(facts, outcome)
    }
    this.#pending.set(request, { endEntry, user })
  }

  /** Writes the outcome of a change. */
  async settled(endpoint: Endpoint, request: WireRequest, end: CallEnd): Promise<void> {
    if (endpoint.effect === 'read') {
      this.#keepRead(endpoint, [request, 'reply' in end ? end.reply : undefined])
      return
    }
    const change = this.#pending.get(request)
    this.#pending.delete(request)
    if (change) await finish(this.#ctx, change.endEntry, await toOutcome(change.user, end, this.#ctx))
  }

  async beginImport(detail: string): Promise<void> {
    this.#endOpenImport = await (await this.#findWriter())?.begin({ is_import: true, detail })
  }

  async endImport(result: NewOutcome): Promise<void> {
    if (this.#endOpenImport) await finish(this.#ctx, this.#endOpenImport, result)
    this.#endOpenImport = undefined
  }

  /** Throws if the audit command did not accept all entries. */
  async close(): Promise<void> {
    await this.endImport({ outcome: 'unknown', detail: 'interrupted before completion' })
    await this.#writer?.close()
  }

  #keepRead(endpoint: Endpoint, read: Read): void {
    this.#latestRead = read
    if (this.#endOpenImport === undefined || !isAboutUser(endpoint)) return
    for (const { userId, externalUserId } of learnFrom(read))
      if (userId !== undefined && externalUserId !== undefined) this.#listed.set(userId, externalUserId)
  }
}

/** Whether the request reads, creates, updates, or deletes a user. */
const isAboutUser = ({ path }: Endpoint) => path.startsWith('/v2/users')

/** The change is made by now, so a missing outcome is a warning. */
function finish(ctx: LocalContext, endEntry: EndEntry, outcome: NewOutcome): Promise<void> {
  return endEntry(outcome).catch(({ message }: Error) => {
    ctx.warn(`could not write the outcome to the audit log: ${message}`)
  })
}

type ChangeFacts = Omit<NewIntent, 'profile' | 'host' | 'fingerprint' | 'command' | 'reason'>

type Writer = NonNullable<Awaited<ReturnType<typeof openWriter>>>

/** Opens the log of one session; undefined for the built-in sandbox, which is not logged. */
async function openWriter(ctx: LocalContext) {
  const { environment, profile, baseUrl, credential, unlockReason, auditCommand } = await ctx.session()
  if (environment === 'sandbox') return undefined
  const { AuditLog } = await import('../audit/log.ts')
  const { hashWithKey, readHashKey } = await import('../audit/files.ts')
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
  { hash }: Pick<Writer, 'hash'>,
): Promise<ChangeFacts> {
  const { findRoute } = await import('../contract/index.ts')
  return {
    method: endpoint.method,
    // As the contract spells it: the path of a raw call may contain an ID.
    path: findRoute(endpoint.method, endpoint.path)?.endpoint.path ?? '(not in the API specification)',
    user_id: userId ?? null,
    external_id_hash: externalUserId === undefined ? null : await hash(externalUserId),
  }
}

async function toOutcome(user: UserIds, end: CallEnd, ctx: LocalContext): Promise<NewOutcome> {
  const { credential } = await ctx.session()
  const { boundedId } = await import('../audit/entry.ts')
  const secret = credential?.secret.reveal()
  const forbidden = [user.externalUserId, secret].filter((part) => part !== undefined)
  if ('reply' in end) {
    const { reply } = end
    const requestId = boundedId(requestIdOf(reply), forbidden)
    return {
      outcome: 'done',
      status: reply.status,
      request_id: requestId,
      user_id: identityIn(reply) ?? null,
    }
  }
  const { applied, status, requestId }: ErrorDetails =
    end.error instanceof FacescanError ? end.error.details : { applied: 'maybe' }
  return {
    outcome: applied === undefined ? 'not sent' : outcomes[applied],
    status: status ?? null,
    request_id: boundedId(requestId, forbidden),
    user_id: null,
  }
}

const outcomes = { yes: 'done', no: 'failed', maybe: 'unknown' } as const

/** Both IDs of a user if the read was by external ID and returned the internal ID. */
function learnFrom([request, reply]: Read): UserIds[] {
  const externalUserId = request && urlOf(request).searchParams.get('external_user_id')
  const userId = externalUserId && reply && identityIn(reply)
  return userId ? [{ externalUserId, userId }] : []
}

/** Returns the user that a request affects, with the other ID if the command knows both. */
function findUser(request: WireRequest, known: readonly UserIds[]): UserIds {
  const query = urlOf(request).searchParams
  const userId = toUuid(query.get('user_id') ?? userIdInPath(request))
  const externalUserId = query.get('external_user_id') ?? decode(memberOf(request.body, 'external_user_id'))
  const other = known.find(
    (user) =>
      (userId !== undefined && toUuid(user.userId) === userId) ||
      (externalUserId !== undefined && user.externalUserId === externalUserId),
  )
  return {
    userId: userId ?? toUuid(other?.userId),
    externalUserId: externalUserId ?? other?.externalUserId,
  }
}

function identityIn({ body }: WireReply): string | undefined {
  return toUuid(memberOf(Buffer.from(body).toString('utf8'), 'user_id'))
}

/** A route is the end of a path, with a name in braces for each ID. */
function userIdInPath({ origin, path, route }: WireRequest): string | undefined {
  const names = route.split('/').toReversed()
  const parts = urlOf({ origin, path }).pathname.split('/').toReversed()
  const index = names.indexOf('{user_id}')
  return index === -1 ? undefined : parts[index]
}

function memberOf(json: string | undefined, name: string): string | undefined {
  if (json === undefined || !json.includes(name)) return undefined
  const member = fieldsOf(orUndefined(() => JSON.parse(json)))[name]
  return typeof member === 'string' ? member : undefined
}

/** An external user ID with a percent sign is URL-encoded in a body. */
function decode(text: string | undefined): string | undefined {
  return text && (orUndefined(() => decodeURIComponent(text)) ?? text)
}
