const enough = 20

/**
 * Distinguishes unknown users from a wrong address: if the first 20 responses are all 404, the address is wrong. Until
 * the service gives another response, requests with a 404 wait for the verdict.
 */
export class AddressCheck {
  readonly #isRight: Promise<boolean>
  #decide: (isRight: boolean) => void = () => {}
  /** Requests that wait for the verdict. */
  waiting = 0

  constructor(isProven: boolean) {
    this.#isRight = new Promise((resolve) => {
      this.#decide = resolve
    })
    if (isProven) this.prove()
  }

  /** The address is right, or no later response can show that it is wrong. Only the first verdict counts. */
  prove(): void {
    this.#decide(true)
  }

  /** Reports a 404. Returns whether the address is right. */
  async missing(): Promise<boolean> {
    if (++this.waiting >= enough) this.#decide(false)
    try {
      return await this.#isRight
    } finally {
      this.waiting--
    }
  }
}
