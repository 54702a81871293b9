/**
 * Minimum number of responses in a window, and minimum duration of a window in ms. If a window had fewer responses, a few random 429
 * responses would look like a limit. If a window were shorter, it would mainly measure pauses of this process.
 */
const windowResponses = 160
const windowMs = 20
/** At low rates, a window ends early after this number of 429 responses. Random 429 responses (`#noise`) do not count. */
const refusedWindowResponses = 9
const refusedWindowMs = 60

/** Share of 429 responses above which all requests slow down. Below this share, a 429 delays only its own request. */
const limitingShare = 0.05
/** The limiting share shortly after a reduction. It is higher, because the service has already accepted the reduced rate. */
const calmLimitingShare = 0.2

/** Number of 429 responses in a row after which a quota counts as used up. All requests then wait. */
const exhaustedAfter = 10
const probesPerSecond = 20
const shortestHoldMs = 1_000
const fastestStart = 250

const recoveryMs = 1_000
const plateauMs = 1_000
const plateau = 0.98
const cut = 0.8
const slowestPerSecond = 0.1

/** If a timer is late, the next requests start sooner to keep the rate. This is the maximum delay in ms that is compensated. */
const catchUpMs = 20

/** Delays requests to stay below a fixed maximum rate and below the rate limit that is measured from 429 responses. Times are in ms. */
export class RateLimiter {
  readonly #cap: number
  /** Rate of accepted requests (per second), measured in the interval before the rate was last reduced. */
  #measured = Number.POSITIVE_INFINITY
  #cutAt = Number.NEGATIVE_INFINITY
  /** Only responses to requests that start at this time or later are counted, because earlier responses do not show the current rate. */
  #countsFrom = Number.NEGATIVE_INFINITY
  #isCorrected = false
  #notBefore = Number.NEGATIVE_INFINITY
  #nextAt = Number.NEGATIVE_INFINITY
  #window: { from: number; accepted: number; refused: number } | undefined
  #refusedInRow = 0
  #isExhausted = false
  /** Share of 429 responses that remained after the rate was reduced, so the rate does not cause them. */
  #noise = 0

  /** `cap` is the maximum in requests per second (default: none). */
  constructor(cap = Number.POSITIVE_INFINITY) {
    this.#cap = cap
  }

  /** Allowed requests per second. Infinite if there is no limit. */
  perSecond(now: number): number {
    const learned = this.#isExhausted ? probesPerSecond : this.#measured * growth(now - this.#cutAt)
    return Math.min(this.#cap, learned)
  }

  delayMs(now: number): number {
    return Math.max(0, this.#nextAt - now, this.#notBefore - now)
  }

  heldMs(now: number): number {
    return Math.max(0, this.#notBefore - now)
  }

  spend(now: number): void {
    this.#nextAt = Math.max(this.#nextAt, now - catchUpMs) + 1000 / this.perSecond(now)
  }

  accepted(now: number, sentAt: number): void {
    this.#refusedInRow = 0
    // Only a request that was sent after the wait can show that the quota is available again.
    if (sentAt >= this.#notBefore) this.#isExhausted = false
    if (sentAt >= this.#countsFrom) this.#count(now, 'accepted')
  }

  /** Records a response with status 429. Returns true if all requests must slow down, because the service limits the rate. */
  refused(now: number, sentAt: number, retryAfterMs = 0): boolean {
    if (sentAt < Math.max(this.#countsFrom, this.#notBefore)) return false
    if (!this.#isExhausted && ++this.#refusedInRow < exhaustedAfter) return this.#count(now, 'refused')
    if (!this.#isExhausted) this.#cut(now, Math.min(fastestStart, this.perSecond(now) / 4))
    this.#isExhausted = true
    this.#refusedInRow = 0
    this.#window = undefined
    this.#notBefore = now + Math.max(shortestHoldMs, retryAfterMs)
    return true
  }

  /** Counts a response. Returns true if it ends the measured period and the rate must be reduced. */
  #count(now: number, kind: 'accepted' | 'refused'): boolean {
    if (this.#window === undefined) {
      this.#window = { from: now, accepted: 0, refused: 0 }
      return false
    }
    this.#window[kind]++
    const { from, accepted, refused } = this.#window
    const responses = accepted + refused
    const unexplained = refused - 2 * this.#noise * responses
    const leastMs = responses >= windowResponses ? windowMs : refusedWindowMs
    if (responses < windowResponses && unexplained < refusedWindowResponses) return false
    if (now - from < leastMs) return false
    this.#window = { from: now, accepted: 0, refused: 0 }
    return this.#adjust(now, refused / responses, (accepted * 1000) / (now - from))
  }

  #adjust(now: number, share: number, measured: number): boolean {
    const isCalm = now - this.#cutAt < recoveryMs + plateauMs
    if (share > (isCalm ? calmLimitingShare : this.#noise + limitingShare)) {
      this.#cut(now, measured)
      return true
    }
    // The reduced rate may still be too high, so it is measured once more. Later 429 responses have another cause than the rate.
    if (isCalm && share > limitingShare && !this.#isCorrected) {
      this.#isCorrected = true
      this.#learn(now, measured)
    } else if (isCalm) this.#noise = Math.max(this.#noise, share)
    return false
  }

  #cut(now: number, measured: number): void {
    this.#cutAt = now
    this.#noise = 0
    this.#isCorrected = false
    this.#learn(now, measured)
  }

  #learn(now: number, measured: number): void {
    this.#measured = Math.max(slowestPerSecond, measured)
    this.#countsFrom = now
    this.#window = undefined
  }
}

/** Factor for the measured rate: 0.8 after the rate was reduced, 0.98 one second later, then growing after another second. */
function growth(sinceCutMs: number): number {
  if (sinceCutMs < recoveryMs) return cut + ((plateau - cut) * Math.max(0, sinceCutMs)) / recoveryMs
  const probingSeconds = Math.max(0, sinceCutMs - recoveryMs - plateauMs) / 1000
  return plateau + 0.01 * (3 ** probingSeconds - 1)
}
