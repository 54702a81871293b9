/** Milliseconds of the monotonic clock. Faster than `performance`, which Node loads late. */
export function uptimeMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1e3 + nanoseconds / 1e6
}
