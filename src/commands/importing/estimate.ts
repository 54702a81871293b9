interface Load {
  requests: number
  mostRequestsOfOneUser: number
  latencyMs: number
  maxConcurrency: number
  rate?: number | undefined
}

/** The first requests in flight, and the growth per round trip. */
const firstInFlight = 4
const growth = 1.8
/** Time per request in this process. */
const ownMs = 0.2

/**
 * Time for sending without failures, in whole seconds. Depends on the ramp-up, the latency, the rate, and the user with
 * the most requests.
 */
export function estimateSeconds(load: Load): number {
  const { requests, mostRequestsOfOneUser, latencyMs, maxConcurrency, rate = Number.POSITIVE_INFINITY } = load
  let inFlight = Math.min(firstInFlight, maxConcurrency)
  let sent = 0
  let ms = 0
  while (sent < requests && inFlight < maxConcurrency) {
    sent += inFlight
    ms += latencyMs
    inFlight = Math.min(maxConcurrency, inFlight * growth)
  }
  ms += (Math.max(0, requests - sent) * latencyMs) / maxConcurrency
  const leastMs = Math.max(mostRequestsOfOneUser * latencyMs, (1000 * requests) / rate, ownMs * requests)
  return Math.ceil(Math.max(ms, leastMs) / 1000)
}
