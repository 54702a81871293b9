import { FacescanError } from '../../base/errors.ts'
import type { ZoneClock } from '../zone-clock.ts'
import type { ListedAnswer } from './reconcile.ts'
import type { Reconciler, RunParts } from './reconciler.ts'
import { answersOf, zonesOf } from './row-recorder.ts'
import type { Task } from './task.ts'
import type { UserQueue } from './user-queue.ts'

/** A `Date` header contains whole seconds. */
const roundingMs = 1_000

/** Measures the service's clock: lists the answers of a user before and after a request that is accepted. */
export class ClockSampler {
  readonly #run: RunParts
  readonly #reconciler: Pick<Reconciler, 'list'>
  /** False if the service does not list answers. */
  #isPossible = true
  readonly #waiting: (() => void)[] = []

  constructor(run: RunParts, reconciler: Pick<Reconciler, 'list'>) {
    this.#run = run
    this.#reconciler = reconciler
    run.engine.halt.addEventListener('abort', () => this.#wakeAll(), { once: true })
  }

  /** Undefined if no sample is needed or possible. */
  async begin(queue: UserQueue, task: Task): Promise<Sample | undefined> {
    if (!this.#isPossible || queue.hidden !== undefined || queue.refusal !== undefined) return undefined
    const zones = await this.#reserve(task)
    if (zones.size === 0) return undefined
    const sample = new Sample(
      this.#run,
      zones,
      task,
      () => this.#list(queue),
      () => this.#wakeAll(),
    )
    return (await sample.begin()) ? sample : undefined
  }

  /** Waits while the first samples are under way, because a request without a response cannot be judged before. */
  async #reserve(task: Task): Promise<Map<string, ZoneClock>> {
    const { serviceClock, engine } = this.#run
    const zones = [...zonesOf(task)].map((name) => [name, serviceClock.zone(name)] as const)
    for (;;) {
      const now = serviceClock.now()
      const reserved = this.#isPossible ? zones.filter(([, zone]) => zone.reserve(now)) : []
      const isWaiting = this.#isPossible && zones.some(([, zone]) => zone.isBeingMeasured)
      if (reserved.length > 0 || !isWaiting) return new Map(reserved)
      await new Promise<void>((wake) => this.#waiting.push(wake))
      engine.halt.throwIfAborted()
    }
  }

  #wakeAll(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }

  async #list(queue: UserQueue): Promise<readonly ListedAnswer[] | undefined> {
    try {
      const listing = await this.#reconciler.list(queue)
      if (listing === 'unavailable') return undefined
      if (listing.usable) return listing.answers
    } catch (error) {
      // A key may be able to save answers but not to list them.
      if (this.#run.engine.halt.aborted || !(error instanceof FacescanError)) throw error
    }
    this.#isPossible = false
    return undefined
  }
}

export class Sample {
  readonly #run: RunParts
  readonly #zones: ReadonlyMap<string, ZoneClock>
  readonly #task: Task
  readonly #list: () => Promise<readonly ListedAnswer[] | undefined>
  #before: readonly ListedAnswer[] = []
  #from = 0
  #to = 0
  readonly #onEnd: () => void
  #isOpen = true

  constructor(
    run: RunParts,
    zones: ReadonlyMap<string, ZoneClock>,
    task: Task,
    list: () => Promise<readonly ListedAnswer[] | undefined>,
    onEnd: () => void,
  ) {
    this.#run = run
    this.#zones = zones
    this.#task = task
    this.#list = list
    this.#onEnd = onEnd
  }

  /** False if the answers cannot be listed. */
  async begin(): Promise<boolean> {
    try {
      const before = await this.#list()
      if (before === undefined) this.#fail()
      else this.#before = before
      return before !== undefined
    } catch (error) {
      this.cancel()
      throw error
    }
  }

  /** The request is about to be sent. */
  start(): void {
    this.#from = this.#run.serviceClock.now()
  }

  /** The response has arrived. */
  stop(): void {
    this.#to = this.#run.serviceClock.now() + roundingMs
  }

  /** The request was not accepted. */
  cancel(): void {
    this.#close((zone) => zone.cancel())
  }

  /** The answers were not listed. */
  #fail(): void {
    this.#close((zone) => zone.fail())
  }

  #close(end: (zone: ZoneClock) => void): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    for (const zone of this.#zones.values()) end(zone)
    this.#onEnd()
  }

  /** The request was accepted. */
  async end(): Promise<void> {
    if (!this.#isOpen) return
    const after = await this.#list()
    if (after === undefined) return this.#fail()
    this.#isOpen = false
    const seen = new Set(this.#before.map(describe))
    const added = after.filter((listed) => !seen.has(describe(listed)))
    for (const [name, zone] of this.#zones) {
      const own = answersOf(this.#task).filter(({ timezone }) => timezone === name)
      const pairs = new Set(own.map(({ lookup_key, value }) => `${value} ${lookup_key}`))
      const times = added.flatMap(({ lookup_key, value, at }) =>
        pairs.has(`${value} ${lookup_key}`) ? [at] : [],
      )
      if (times.length > 0) zone.add(times, this.#from, this.#to)
      else zone.fail()
    }
    this.#onEnd()
  }
}

function describe({ lookup_key, value, at }: ListedAnswer): string {
  return `${at} ${value} ${lookup_key}`
}
