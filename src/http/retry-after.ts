/** Maximum number of seconds in Retry-After (RFC 9111, section 1.2.2). */
const longestDelta = 2 ** 31

/**
 * The `Retry-After` header in milliseconds, from whole seconds or an HTTP date. Undefined if it is missing or invalid. A date is compared
 * with the `Date` header of the same response, because the clock of this machine may be wrong.
 */
export function parseRetryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const text = headers['retry-after']?.trim()
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Math.min(Number(text), longestDelta) * 1000
  const at = parseHttpDate(text)
  if (at === undefined) return undefined
  return Math.max(0, at - (parseHttpDate(headers['date'] ?? '') ?? now))
}

/** Parses an HTTP date. Requires the day of the week (RFC 9110, section 5.6.7), because `Date.parse` also accepts texts such as "-1". */
function parseHttpDate(text: string): number | undefined {
  const at = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}
