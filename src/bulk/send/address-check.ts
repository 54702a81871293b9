const enough = 20

/**
 * Tells an unknown user from a wrong address: when the first 20 answers are all 404, nobody is to blame but the address.
 * Until one of them is something else, whoever got a 404 waits here for the verdict.
 */
export class AddressCheck {
  #isProven: boolean
  #missing = 0
  #waiting: ((isRight: boolean) => void)[] = []

  constructor(isProven: boolean) {
    this.#isProven = isProven
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** The address has shown itself to be right, or nothing speaks against it any more. */
  prove(): void {
    this.#isProven = true
    this.#settle(true)
  }

  /** Resolves with whether the address is right, as far as can be known. */
  missing(): Promise<boolean> {
    if (this.#isProven) return Promise.resolve(true)
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (++this.#missing >= enough) this.#settle(false)
    })
  }

  #settle(isRight: boolean): void {
    for (const resolve of this.#waiting.splice(0)) resolve(isRight)
  }
}
