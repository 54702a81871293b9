/** Time in ms within which a request without a response may still be applied. */
export function settleTimeMs(timeoutMs: number, p99Ms: number): number {
  return Math.max(timeoutMs, 2 * p99Ms)
}
