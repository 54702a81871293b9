const maxTokens = 100
const tokensPerSuccess = 0.1

/** Keeps retries from feeding an overload: failures spend tokens, successes earn a tenth of one (as in gRPC A6). */
export class RetryBudget {
  #tokens = maxTokens

  get isHealthy(): boolean {
    return this.#tokens > maxTokens / 2
  }

  succeeded(): void {
    this.#tokens = Math.min(maxTokens, this.#tokens + tokensPerSuccess)
  }

  failed(): void {
    this.#tokens = Math.max(0, this.#tokens - 1)
  }
}
