/** Maximum wait in seconds (RFC 9111, section 1.2.2). */
const longestDelta = 2 ** 31

/**
 * `Retry-After` in ms, from whole seconds or an HTTP date; undefined if it is missing or invalid. A date is compared with the
 * `Date` of the same reply, because the clocks of the two machines may differ.
 */
export function parseRetryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const text = headers['retry-after']?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(Number(text), longestDelta) * 1000
  const at = parseHttpDate(text)
  if (at === undefined) return undefined
  return Math.max(0, at - (parseHttpDate(headers['date'] ?? '') ?? now))
}

/** Requires the name of the day (RFC 9110, section 5.6.7), because `Date.parse` accepts "-1" and "1.5". */
function parseHttpDate(text: string): number | undefined {
  const at = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}
