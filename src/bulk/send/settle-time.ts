/** How long a request without a reply may still be applied: the timeout or twice the 99th percentile latency, in ms. */
export function settleTimeMs(timeoutMs: number, p99Ms: number): number {
  return Math.max(timeoutMs, 2 * p99Ms)
}
