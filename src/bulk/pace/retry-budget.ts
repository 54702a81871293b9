const maxTokens = 100
const tokensPerSuccess = 0.1

/**
 * Limits retries so that they do not increase an overload. A failure costs one token, and a success adds a tenth of a
 * token (as in gRPC A6).
 */
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
