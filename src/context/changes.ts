import { once } from '../base/functions.ts'
import type { Call, Step } from '../http/chain.ts'
import type { GuardedChange } from '../profiles/guard.ts'
import type { ReadRequest, UserIds } from './affected-user.ts'
import type { CommandAudit } from './audit.ts'
import type { CommandContext } from './command-context.ts'

/** Confirmation and audit log around the changes of a command. Both are loaded before the first change. */
export class Changes {
  readonly #load: () => ReturnType<typeof open>
  #loaded: Awaited<ReturnType<typeof open>> | undefined
  /** Users whose IDs are both known. */
  readonly #known: UserIds[] = []
  #latestRead: ReadRequest | undefined
  /** Whether the service applied a change. */
  hasChanged = false

  constructor(ctx: CommandContext) {
    this.#load = once(async () => {
      this.#loaded = await open(ctx)
      return this.#loaded
    })
  }

  /** Asks before a change, if the profile requires it. */
  readonly confirm: Step = async (call, next) => {
    if (isRead(call)) return next(call)
    const { confirmation, changeOf, learnFrom } = await this.#load()
    if (confirmation.covers(call.endpoint)) return next(call)
    this.#known.push(...learnFrom(this.#latestRead))
    await confirmation.confirm(changeOf(call, this.#known))
    return next(call)
  }

  /** Writes the intent of a change before it, and the outcome after it. */
  readonly audit: Step = async (call, next) => {
    if (isRead(call)) return this.#read(call, next)
    const { confirmation, log } = await this.#load()
    const isListed = confirmation.covers(call.endpoint)
    const reply = isListed ? await log.changeListed(call, next) : await log.change(call, next, this.#known)
    this.hasChanged = true
    return reply
  }

  /** Reads the protection again before each attempt, because a person may lock the profile during a run. */
  readonly protect: Step = async (call, next) => {
    if (!isRead(call)) await this.#loaded?.confirmation.recheck()
    return next(call)
  }

  /** For the single attempts of a confirmed run. */
  readonly continueRun: Step = async (call, next) => {
    if (!isRead(call)) await this.#loaded?.log.assertOpen()
    return next(call)
  }

  async confirmChange(change: GuardedChange): Promise<void> {
    const { confirmation } = await this.#load()
    await confirmation.confirm(change)
    this.#known.push(change)
  }

  /** Confirms the change of many users, and starts its entry in the log. */
  async beginRun(change: GuardedChange): Promise<CommandAudit> {
    await this.confirmChange(change)
    const { log } = await this.#load()
    await log.beginRun(change.summary)
    return log
  }

  async close(): Promise<void> {
    await this.#loaded?.log.close()
  }

  async #read(call: Call, next: Parameters<Step>[1]): ReturnType<Step> {
    this.#latestRead = undefined
    const reply = await next(call)
    this.#latestRead = { request: call.request, reply }
    this.#loaded?.log.keepRead(call.endpoint, this.#latestRead)
    return reply
  }
}

function isRead({ endpoint }: Call): boolean {
  return endpoint.effect === 'read'
}

async function open(ctx: CommandContext) {
  const [{ Confirmation, changeOf }, { CommandAudit }, { learnFrom }] = await Promise.all([
    import('./confirmation.ts'),
    import('./audit.ts'),
    import('./affected-user.ts'),
  ])
  return { confirmation: new Confirmation(ctx), log: new CommandAudit(ctx), changeOf, learnFrom }
}
