/** Milliseconds of the monotonic clock. Faster than `performance`, because Node loads `performance` on first use. */
export function uptimeMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1e3 + nanoseconds / 1e6
}
