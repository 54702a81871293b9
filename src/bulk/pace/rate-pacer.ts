const holdMs = 3_000
const growthPerSecond = 1.01
const cut = 0.8
/** Replies to one burst tell of one limit, not of many. */
const burstMs = 1_000
/** Timers wake late: what was missed may be caught up to this extent. */
const catchUpMs = 20
const slowestPerSecond = 0.1

/** Spaces requests out: by a fixed cap, and by what the service's 429 replies teach. */
export class RatePacer {
  readonly #cap: number
  #learned = Number.POSITIVE_INFINITY
  #cutAt = Number.NEGATIVE_INFINITY
  #notBefore = Number.NEGATIVE_INFINITY
  #nextAt = Number.NEGATIVE_INFINITY
  readonly #accepted = new RateMeter()

  /** `cap` in requests a second; none where absent. */
  constructor(cap = Number.POSITIVE_INFINITY) {
    this.#cap = cap
  }

  /** Requests a second that are allowed at `now`; infinite where nothing limits them. */
  perSecond(now: number): number {
    const grownMs = Math.max(0, now - this.#cutAt - holdMs)
    return Math.min(this.#cap, this.#learned * growthPerSecond ** (grownMs / 1000))
  }

  /** How long the next request has to wait. */
  delayMs(now: number): number {
    return Math.max(0, this.#nextAt - now, this.#notBefore - now)
  }

  /** How long the service wants to be left alone. */
  heldMs(now: number): number {
    return Math.max(0, this.#notBefore - now)
  }

  /** A request goes out. */
  spend(now: number): void {
    this.#nextAt = Math.max(this.#nextAt, now - catchUpMs) + 1000 / this.perSecond(now)
  }

  /** The service took a request. */
  accepted(now: number): void {
    this.#accepted.count(now)
  }

  /** The service answered 429; `retryAfterMs` is a floor. */
  refused(now: number, retryAfterMs = 0): void {
    this.#notBefore = Math.max(this.#notBefore, now + retryAfterMs)
    if (now - this.#cutAt < burstMs) return
    const measured = Math.min(this.#accepted.perSecond(now), this.perSecond(now))
    if (measured === 0) {
      // Of a limit over many seconds, whose time is not over yet, nothing is to be learned.
      this.#notBefore = Math.max(this.#notBefore, now + burstMs)
      return
    }
    this.#learned = Math.max(slowestPerSecond, measured * cut)
    this.#cutAt = now
  }
}

/** Events a second, over the last one to two seconds. */
class RateMeter {
  #startedAt: number | undefined
  #secondAt = 0
  #current = 0
  #previous = 0

  count(now: number): void {
    this.#startedAt ??= now
    this.#roll(now)
    this.#current++
  }

  perSecond(now: number): number {
    if (this.#startedAt === undefined) return 0
    this.#roll(now)
    const seconds = Math.max(0.1, Math.min(now - this.#startedAt, now - this.#secondAt + 1000) / 1000)
    return (this.#current + this.#previous) / seconds
  }

  #roll(now: number): void {
    const passed = now - this.#secondAt
    if (passed < 1000) return
    this.#previous = passed < 2000 ? this.#current : 0
    this.#current = 0
    this.#secondAt = passed < 2000 ? this.#secondAt + 1000 : now
  }
}
