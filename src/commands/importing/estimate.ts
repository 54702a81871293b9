interface Load {
  requests: number
  mostRequestsOfOneUser: number
  latencyMs: number
  maxConcurrency: number
  rate?: number | undefined
}

/** An import starts with so many requests in flight, and grows by this factor per round trip. */
const firstInFlight = 4
const growth = 1.8
/** What a request takes in this process. */
const ownMs = 0.2

/** How long sending takes if nothing fails, in whole seconds: ramp-up, latency, rate, and the user with the most requests. */
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
