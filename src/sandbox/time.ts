/** A time in the format of the service, with fractional seconds and the offset +00:00. */
export function utcTimestamp(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000+00:00')
}

/** The local time in a time zone, with its UTC offset, such as `2026-03-01T09:30:00.000000+01:00`. */
export function localTimestamp(ms: number, timezone: string): string {
  const offsetMinutes = zoneOffsetMinutes(ms, timezone)
  const wallClock = new Date(ms + offsetMinutes * 60_000).toISOString().slice(0, -1)
  const absolute = Math.abs(offsetMinutes)
  const [hours, minutes] = [absolute / 60, absolute % 60].map((part) =>
    String(Math.trunc(part)).padStart(2, '0'),
  )
  return `${wallClock}000${offsetMinutes < 0 ? '-' : '+'}${hours}:${minutes}`
}

function zoneOffsetMinutes(ms: number, timezone: string): number {
  const format = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' })
  const name = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes = '0'] = /GMT([+-])(\d+)(?::(\d+))?/.exec(name) ?? []
  if (!hours) return 0
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** Milliseconds since 1970 for an ISO date and time. The default time zone is UTC. */
export function parseTime(text: string): number {
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text)
  return Date.parse(hasZone ? text : `${text}Z`)
}
