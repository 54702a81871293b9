import type { openHash } from '../audit/changes.ts'
import type { AuditLog, ChangeFacts, ChangeResult, EndEntry } from '../audit/log.ts'
import { type ErrorDetails, FacescanError, RefusedError } from '../base/errors.ts'
import { once } from '../base/functions.ts'
import type { Effect } from '../contract/endpoint.ts'
import { findRoute } from '../contract/index.ts'
import type { Call, Send, Step } from '../http/chain.ts'
import { requestIdOf, type WireResponse } from '../http/wire.ts'
import type { GuardedChange } from '../profiles/guard.ts'
import { AffectedUsers, type UserIds, userIdIn } from './affected-users.ts'
import type { CommandContext } from './command-context.ts'
import { askGuard, changeOf, nameOf, type Recheck } from './confirmation.ts'

export class Changes {
  readonly #ctx: CommandContext
  readonly #confirmed = new Set<string>()
  #recheck: Recheck = async () => undefined
  /** The effect of the requests in a confirmed run. */
  #runEffect: Effect | undefined
  readonly #users = new AffectedUsers()
  readonly #openLog: () => Promise<AuditLog | undefined>
  readonly #openHash: () => ReturnType<typeof openHash>
  #log: AuditLog | undefined
  #endRun: EndEntry | undefined
  hasChanged = false

  constructor(ctx: CommandContext) {
    this.#ctx = ctx
    this.#openLog = once(async () => {
      this.#log = await openLog(ctx)
      return this.#log
    })
    this.#openHash = once(async () => {
      const { openHash } = await import('../audit/changes.ts')
      return openHash(ctx.paths, { create: true })
    })
  }

  readonly confirm: Step = async (call, next) => {
    if (!isRead(call) && !this.#covers(call.endpoint))
      await this.confirmChange(changeOf(call, this.#users.find(call.request)))
    return next(call)
  }

  readonly audit: Step = async (call, next) => {
    const response = isRead(call) ? await next(call) : await this.#sendLogged(call, next)
    if (!isRead(call)) this.hasChanged = true
    else if (!this.#ctx.flags.dryRun) this.#users.learn(call.request, response)
    return response
  }

  /**
   * Before each attempt, checks that the profile still allows the change, because another process can have locked the profile. Also checks
   * that the audit log is still open.
   */
  readonly protect: Step = async (call, next) => {
    if (isRead(call)) return next(call)
    await this.#recheck().catch((error) => this.#throwRefused(error))
    const log = this.#log ?? (await this.#openLog())
    log?.assertOpen()
    return next(call)
  }

  /** Asks for confirmation, once per change. Throws RefusedError if the change is not confirmed. */
  async confirmChange(change: GuardedChange): Promise<void> {
    if (this.#covers(change) || this.#confirmed.has(nameOf(change))) return
    const isFirst = this.#confirmed.size === 0 && change.users === undefined
    this.#recheck = await askGuard(this.#ctx, change, { canGoBack: this.#ctx.canGoBack && isFirst })
    this.#confirmed.add(nameOf(change))
    if (change.users) this.#runEffect = change.effect
  }

  async beginRun(change: GuardedChange): Promise<void> {
    await this.confirmChange(change)
    this.#endRun = await (await this.#openLog())?.begin({ outcome: 'started', detail: change.summary })
  }

  async endRun(result: ChangeResult): Promise<void> {
    await this.#end(this.#endRun, result)
    this.#endRun = undefined
  }

  /** Throws if the audit command did not accept all entries. */
  async close(): Promise<void> {
    await this.endRun({ outcome: 'unknown', detail: 'interrupted before completion' })
    await this.#log?.close()
  }

  /** Whether the request belongs to a confirmed change of many users. */
  #covers({ effect }: { effect: Effect }): boolean {
    return effect === this.#runEffect
  }

  /**
   * Throws the error of a check that found a change of the protection. If the change is for several users, the error code is
   * `import_stopped`, because the run can be resumed.
   */
  #throwRefused(error: unknown): never {
    if (!(error instanceof RefusedError)) throw error
    const code = this.#runEffect === undefined ? 'refused' : 'import_stopped'
    throw new FacescanError(code, error.message, { ...error.details, applied: 'no' })
  }

  async #sendLogged(call: Call, next: Send): Promise<WireResponse> {
    const log = await this.#openLog()
    const isListed = this.#covers(call.endpoint)
    // In a run for a list, only requests to `/v2/users` have their own audit entries. All other requests are covered by the entries for the
    // start and the end of the run.
    if (!log || (isListed && !call.endpoint.path.startsWith('/v2/users'))) return next(call)
    const user = this.#users.find(call.request)
    const facts = await this.#describe(call, user)
    const end = isListed ? undefined : await log.begin(facts)
    if (isListed) this.#users.forget(user)
    let result: CallResult = { applied: 'maybe', ...user }
    try {
      const response = await next(call)
      const userId = userIdIn(response) ?? user.userId
      result = { ...user, userId, applied: 'yes', status: response.status, requestId: requestIdOf(response) }
      return response
    } catch (error) {
      if (error instanceof FacescanError) result = { ...error.details, ...user }
      throw error
    } finally {
      const entry = await this.#toResult(result)
      if (isListed) await log.addUser(facts, entry)
      else await this.#end(end, entry)
    }
  }

  async #describe({ endpoint }: Call, { userId, externalUserId }: UserIds): Promise<ChangeFacts> {
    const hash = externalUserId === undefined ? undefined : await this.#openHash()
    return {
      method: endpoint.method,
      // The entry contains the path template of the contract, because the path of a raw call may contain an ID.
      path: findRoute(endpoint.method, endpoint.path)?.endpoint.path ?? '(not in the API specification)',
      user_id: userId ?? null,
      external_id_hash: hash?.(externalUserId ?? '') ?? null,
    }
  }

  async #toResult(result: CallResult): Promise<ChangeResult> {
    const { applied, status = null, requestId, userId = null, externalUserId } = result
    const { credential } = await this.#ctx.session()
    const personal = [externalUserId, credential?.secret.reveal()].filter((part) => part !== undefined)
    return {
      outcome: applied === undefined ? 'not sent' : outcomes[applied],
      status,
      request_id: boundedId(requestId, personal),
      user_id: userId,
    }
  }

  /** Writes the outcome. If this fails, only a warning is printed, because the change was already made. */
  async #end(end: EndEntry | undefined, result: ChangeResult): Promise<void> {
    await end?.(result).catch(({ message }: Error) => {
      this.#ctx.warn(`could not write the outcome to the audit log: ${message}`)
    })
  }
}

type CallResult = UserIds & { [Key in 'applied' | 'status' | 'requestId']?: ErrorDetails[Key] | undefined }

const outcomes = { yes: 'done', no: 'failed', maybe: 'unknown' } as const

function isRead({ endpoint }: Call): boolean {
  return endpoint.effect === 'read'
}

/** Returns the text if it looks like an ID from the service. Null if it does not, or if it contains an external user ID or a key. */
export function boundedId(text: string | undefined, forbidden: readonly string[]): string | null {
  const repeats = (part: string) => (part.length < 4 ? text === part : text?.includes(part))
  return text !== undefined && /^[\w-]{1,64}$/.test(text) && !forbidden.some(repeats) ? text : null
}

/** Opens the audit log of the session. Undefined for the built-in sandbox, because its changes are not logged. */
async function openLog({
  session,
  paths,
  env,
  clock,
  command,
}: CommandContext): Promise<AuditLog | undefined> {
  const { environment, profile, baseUrl, credential, unlock, auditCommand } = await session()
  if (environment === 'sandbox') return undefined
  const facts = {
    profile,
    host: baseUrl === undefined ? null : new URL(baseUrl).host,
    fingerprint: credential?.fingerprint ?? null,
    command,
    reason: unlock?.reason ?? null,
  }
  const { AuditLog } = await import('../audit/log.ts')
  return new AuditLog({ paths, env, clock, auditCommands: auditCommand ? [auditCommand] : [], facts })
}
