/** A window of fewer responses would mistake random 429 responses for a limit. A shorter window would measure pauses of this process. */
const windowResponses = 160
const windowMs = 20
/** At low rates, a window ends earlier: after this many 429 responses beyond the expected random 429 responses. */
const refusedWindowResponses = 9
const refusedWindowMs = 60

/** Share of 429 responses above which the service limits the rate. Below it, a 429 concerns only its own request. */
const limitingShare = 0.05
/** At a rate that the service accepted before, only a larger share means that the limit has changed. */
const calmLimitingShare = 0.2

/** After this many 429 responses in a row, a quota is used up, and all requests wait. */
const exhaustedAfter = 10
const probesPerSecond = 20
const shortestHoldMs = 1_000
/** Requests per second after a wait. */
const fastestStart = 250

const recoveryMs = 1_000
const plateauMs = 1_000
const plateau = 0.98
const cut = 0.8
const slowestPerSecond = 0.1

/** Timers fire late. Requests may make up for this much missed time. */
const catchUpMs = 20

interface Window {
  from: number
  accepted: number
  refused: number
}

/** Spaces requests by a fixed maximum and by the rate that 429 responses show. Times are in ms. */
export class RateLimiter {
  readonly #cap: number
  /** Accepted requests per second in the window before the rate was last reduced. */
  #measured = Number.POSITIVE_INFINITY
  #cutAt = Number.NEGATIVE_INFINITY
  /** Responses to earlier requests show nothing about the current rate. */
  #countsFrom = Number.NEGATIVE_INFINITY
  #isCorrected = false
  #notBefore = Number.NEGATIVE_INFINITY
  #nextAt = Number.NEGATIVE_INFINITY
  #window: Window | undefined
  #refusedInRow = 0
  #isExhausted = false
  /** Share of 429 responses since the last cut that a lower rate did not prevent. */
  #noise = 0

  /** `cap` is in requests per second (default: none). */
  constructor(cap = Number.POSITIVE_INFINITY) {
    this.#cap = cap
  }

  /** Allowed requests per second; infinite if nothing limits them. */
  perSecond(now: number): number {
    const learned = this.#isExhausted ? probesPerSecond : this.#measured * growth(now - this.#cutAt)
    return Math.min(this.#cap, learned)
  }

  delayMs(now: number): number {
    return Math.max(0, this.#nextAt - now, this.#notBefore - now)
  }

  /** Remaining delay of all requests, in ms, because a quota is used up. */
  heldMs(now: number): number {
    return Math.max(0, this.#notBefore - now)
  }

  spend(now: number): void {
    this.#nextAt = Math.max(this.#nextAt, now - catchUpMs) + 1000 / this.perSecond(now)
  }

  accepted(now: number, sentAt: number): void {
    this.#refusedInRow = 0
    // A response to a request sent before the wait does not show that the quota is available again.
    if (sentAt >= this.#notBefore) this.#isExhausted = false
    if (sentAt >= this.#countsFrom) this.#count(now, 'accepted')
  }

  /** Returns true if the service limits the rate, so that other requests have to slow down too. */
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

  /** Returns true if the response ends a window with so many 429 responses that the rate was cut. */
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
    // The window before the cut may have measured too much. If a correction does not help, the rate is not the reason.
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

/** Factor of the measured rate: 0.8 after a cut, nearly 1 after a second, and faster and faster after another second. */
function growth(sinceCutMs: number): number {
  if (sinceCutMs < recoveryMs) return cut + ((plateau - cut) * Math.max(0, sinceCutMs)) / recoveryMs
  const probingSeconds = Math.max(0, sinceCutMs - recoveryMs - plateauMs) / 1000
  return plateau + 0.01 * (3 ** probingSeconds - 1)
}
