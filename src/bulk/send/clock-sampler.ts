import { FacescanError } from '../../base/errors.ts'
import { roundingMs, type ZoneClock } from '../service-clock.ts'
import type { Answer } from '../types.ts'
import { type InTurn, inTurnOf } from './attempt.ts'
import type { ListedAnswer } from './reconcile.ts'
import { answersOf, type RunParts, type Task, zonesOf } from './task.ts'
import { Multiset, type UserQueue } from './user-queue.ts'

/** If the list of answers for a sample cannot be read, the request is repeated for this time in ms. */
const samplePatienceMs = 1_000

type Zones = readonly (readonly [name: string, zone: ZoneClock])[]

/** The user's listed answers before a request. A second list shows the times that the service assigned. */
interface Sample {
  zones: Zones
  before: readonly ListedAnswer[]
}

/** Measures the clock of the service. Lists the answers of a user before and after an accepted request. */
export class ClockSampler {
  readonly #run: RunParts
  readonly #inTurn: InTurn
  #isPossible = true
  readonly #waiting: (() => void)[] = []

  constructor(run: RunParts) {
    this.#run = run
    this.#inTurn = inTurnOf({ ...run, patienceMs: samplePatienceMs, runSaves: true })
    run.engine.halt.addEventListener('abort', () => this.#wakeAll(), { once: true })
  }

  /** Starts a measurement of the service's clock. Undefined if no measurement is needed or possible. */
  async begin(queue: UserQueue, task: Task): Promise<Sample | undefined> {
    if (!this.#isPossible || queue.hidden !== undefined) return undefined
    const zones = await this.#reserve(task)
    if (zones.length === 0) return undefined
    const before = await this.#list(queue)
    if (before !== undefined) return { zones, before }
    this.#close(zones, 'fail')
    return undefined
  }

  /** Ends a measurement. `sent`: times before and after an accepted request, by the service's clock. Omitted if no request was accepted. */
  async end(
    { zones, before }: Sample,
    queue: UserQueue,
    task: Task,
    sent?: { from: number; to: number },
  ): Promise<void> {
    if (sent === undefined) return this.#close(zones, 'cancel')
    const after = await this.#list(queue)
    if (after === undefined) return this.#close(zones, 'fail')
    const added = addedTo(before, after)
    const timesOf = (answers: readonly Answer[]) => {
      const own = new Multiset(answers)
      return added.flatMap((listed) => (own.has(listed) ? [listed.at] : []))
    }
    const { length } = timesOf(answersOf(task))
    // If more answers were added than were sent, the service lists answers more than once, so their times are not used.
    const isRepeated = length > task.rows.length
    // If one answer is missing, a later answer may have replaced it. If all answers are missing, the service lists new answers late.
    if (length === 0) this.#run.serviceClock.listsLate = true
    for (const [name, zone] of zones) {
      const times = timesOf(answersOf(task).filter(({ timezone }) => timezone === name))
      if (times.length > 0 && !isRepeated) zone.add(times, sent.from, sent.to + roundingMs)
      else zone.fail()
    }
    this.#wakeAll()
  }

  /** Reserves samples, or waits for samples of other tasks, because a lost request stays unknown if the clock was not measured. */
  async #reserve(task: Task): Promise<Zones> {
    const { serviceClock, engine } = this.#run
    const zones = [...zonesOf(task)].map((name) => [name, serviceClock.zone(name)] as const)
    while (this.#isPossible) {
      const now = serviceClock.now()
      const reserved = zones.filter(([, zone]) => zone.reserve(now))
      if (reserved.length > 0 || !zones.some(([, zone]) => zone.isBeingMeasured)) return reserved
      await new Promise<void>((wake) => this.#waiting.push(wake))
      engine.halt.throwIfAborted()
    }
    return []
  }

  /** Ends a sample without a result: `cancel` if the request was not accepted, `fail` if the answers were not listed. */
  #close(zones: Zones, how: 'cancel' | 'fail'): void {
    for (const [, zone] of zones) zone[how]()
    this.#wakeAll()
  }

  #wakeAll(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }

  async #list(queue: UserQueue): Promise<readonly ListedAnswer[] | undefined> {
    try {
      const listing = await this.#run.service.list(queue.user, this.#inTurn)
      if (listing === 'unavailable') return undefined
      if (listing.usable) return listing.answers
    } catch (error) {
      // Some API keys can save answers but not list them, so an error while listing ends only the measurement.
      if (this.#run.engine.halt.aborted || !(error instanceof FacescanError)) throw error
    }
    this.#isPossible = false
    return undefined
  }
}

/** The answers in `after` that are not in `before`. Two equal answers with the same rounded time count as two answers. */
function addedTo(before: readonly ListedAnswer[], after: readonly ListedAnswer[]): ListedAnswer[] {
  const withTime = ({ lookup_key, value, at }: ListedAnswer) => ({ lookup_key: `${at} ${lookup_key}`, value })
  const earlier = new Multiset(before.map(withTime))
  return after.filter((listed) => !earlier.take(withTime(listed)))
}
