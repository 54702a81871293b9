import type { CheckedInput } from './check.ts'
import { Engine, type Pacing, type Queue } from './engine/engine.ts'
import type { KnownImport } from './imports.ts'
import type { ResultWriter } from './results/result-file.ts'
import type { AnswerService } from './send/api-service.ts'
import { type InTurn, inTurnOf } from './send/attempt.ts'
import type { ListedAnswer } from './send/reconcile.ts'
import type { ClockLimits, ServiceClock } from './service-clock.ts'
import type { Answer } from './types.ts'

type AnswerState = 'saved' | 'missing' | 'different' | 'changed'

/** Start and end of an import in ms, by the clock of the service. */
export interface ImportTimes {
  startedAt: number
  endedAt: number
  /** Maximum difference between the times of answers and the `Date` headers. Undefined if the service lists times in the future. */
  limits: ClockLimits | undefined
}

/** Clock limits if the clock was not measured. A larger difference means a wrong time or another time zone. */
const unmeasured: ClockLimits = { behindMs: 5 * 60_000, aheadMs: 5 * 60_000 }

/** Compares an answer with the user's listed answers. A different answer counts as `changed` only if its time proves that it is newer. */
export function compareAnswer(
  { lookup_key, value }: Pick<Answer, 'lookup_key' | 'value'>,
  listed: readonly ListedAnswer[],
  { startedAt, endedAt, limits }: ImportTimes,
): AnswerState {
  const answers = listed.filter((answer) => answer.lookup_key === lookup_key)
  if (answers.length === 0) return 'missing'
  const newestAt = Math.max(...answers.map(({ at }) => at))
  const equal = answers.filter((answer) => answer.value === value)
  if (equal.some(({ at }) => at === newestAt)) return 'saved'
  if (limits === undefined) return 'different'
  const isReplaced =
    equal.some(({ at }) => at >= startedAt - limits.behindMs) || newestAt > endedAt + limits.aheadMs
  return isReplaced ? 'changed' : 'different'
}

const messages = {
  missing: 'the service has no answer to this question',
  different: 'the service has a different answer to this question',
} as const

function isUnsaved(state: AnswerState): state is keyof typeof messages {
  return state in messages
}

export interface VerificationOptions extends Pacing {
  input: Pick<CheckedInput, 'batches'>
  /** Receives the answers that are missing or different. */
  unsaved: ResultWriter
  service: AnswerService
  serviceClock: ServiceClock
  stored: Pick<KnownImport, 'header' | 'lastAt' | 'clock' | 'rejected'>
}

/** For each concurrent request, this number of users is checked in advance, so that the next request is ready when a request ends. */
const usersPerRequest = 2
/** Time after which the answers of a user count as not verified. */
const patienceMs = 30_000

/** Time that the service may need to list new answers. An answer that is missing before this time has passed is checked again. */
const mostLateMs = 10_000

/** Lists the answers of each user, and compares them with the input (the user's last row for each question). */
export class Verification {
  readonly counts = {
    users: 0,
    answers: 0,
    saved: 0,
    missing: 0,
    different: 0,
    changed: 0,
    unverified: 0,
    rejected: 0,
  }
  /** The reason why the answers of a user could not be verified. If several users have a reason, this is the first one. */
  whyUnverified: string | undefined
  readonly engine: Engine<Answer[], Queue<Answer[]>>
  readonly #options: VerificationOptions
  readonly #inTurn: InTurn

  constructor(options: VerificationOptions) {
    const { service, serviceClock, stored } = options
    this.#options = options
    serviceClock.recall(stored.clock)
    this.engine = new Engine<Answer[], Queue<Answer[]>>({
      ...options,
      items: this.#toVerify(),
      process: (_, answers) => this.#verify(answers),
      queuesPerRequest: usersPerRequest,
      probe: () => service.probe(),
    })
    this.#inTurn = inTurnOf({ ...options, engine: this.engine, patienceMs, runSaves: false })
  }

  /** Yields the last answer of each user to each question, without rejected rows. The batches of a user are consecutive. */
  async *#toVerify() {
    const { input, stored } = this.#options
    const rejected = new Map(stored.rejected)
    let newest = new Map<string, Answer>()
    let user: Answer['user'] | undefined
    for await (const batch of input.batches()) {
      if (batch.user !== user && newest.size > 0) yield { queue: { items: [] }, item: [...newest.values()] }
      if (batch.user !== user) newest = new Map()
      user = batch.user
      const refused = new Set(rejected.get(batch.id))
      this.counts.rejected += refused.size
      for (const [at, answer] of batch.rows.entries())
        if (!refused.has(at)) newest.set(answer.lookup_key, answer)
    }
    if (newest.size > 0) yield { queue: { items: [] }, item: [...newest.values()] }
  }

  async #verify(answers: Answer[]): Promise<void> {
    const [first] = answers
    if (first === undefined) return
    const list = () => this.#options.service.list(first.user, this.#inTurn)
    let states = this.#compare(answers, await list())
    const { clock, serviceClock, stored } = this.#options
    const endedAt = stored.lastAt ?? stored.header.at
    const waitMs = Math.min(endedAt - serviceClock.now(), 0) + mostLateMs
    if (waitMs > 0 && Array.isArray(states) && states.some(isUnsaved)) {
      await this.engine.releaseSlotWhile(() => clock.sleep(waitMs, this.engine.halt))
      states = this.#compare(answers, await list())
    }
    this.#count(answers, states)
  }

  /** The states of the answers, or the reason why the answers cannot be verified. */
  #compare(
    answers: readonly Answer[],
    listing: Awaited<ReturnType<AnswerService['list']>>,
  ): AnswerState[] | string {
    if (listing === 'unavailable') return 'the service did not return the answer list'
    if (!listing.usable) return listing.why
    return answers.map((answer) =>
      compareAnswer(answer, listing.answers, this.#timesOf(answer, listing.answers)),
    )
  }

  #count(answers: readonly Answer[], states: AnswerState[] | string): void {
    this.counts.users++
    this.counts.answers += answers.length
    if (typeof states === 'string') {
      this.counts.unverified += answers.length
      this.whyUnverified ??= states
      return
    }
    for (const [at, answer] of answers.entries()) {
      const code = states[at] as AnswerState
      this.counts[code]++
      if (isUnsaved(code))
        this.#options.unsaved.add(answer, [{ code, message: messages[code] }], [answer.lookup_key])
    }
  }

  #timesOf({ timezone }: Answer, listed: readonly ListedAnswer[]): ImportTimes {
    const { clock, serviceClock, stored } = this.#options
    const { header, lastAt = header.at } = stored
    const limits = serviceClock.limitsOf([timezone]) ?? unmeasured
    const latest = listed.reduce((latest, { at }) => Math.max(latest, at), 0)
    const isSteady = serviceClock.isKnown && serviceClock.hasReached(latest, limits.aheadMs)
    return {
      startedAt: header.at + serviceClock.now() - clock.now(),
      endedAt: lastAt,
      limits: isSteady ? limits : undefined,
    }
  }
}
