/** A time in the format of the service, with fractional seconds and the offset +00:00. */
export function utcTimestamp(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000+00:00')
}

/** The local time in a time zone, with its UTC offset, such as `2026-03-01T09:30:00.000000+01:00`. */
export function localTimestamp(ms: number, timezone: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' })
  // Node formats the offset of UTC as `GMT`, without digits.
  const [offset] = /[+-]\d\d:\d\d/.exec(format.format(ms)) ?? ['+00:00']
  const offsetMs = Date.parse('1970-01-01T00:00Z') - Date.parse(`1970-01-01T00:00${offset}`)
  return new Date(ms + offsetMs).toISOString().replace('Z', `000${offset}`)
}

/** Milliseconds since 1970 for an ISO date and time. The default time zone is UTC. */
export function parseTime(text: string): number {
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text)
  return Date.parse(hasZone ? text : `${text}Z`)
}
