const uuid = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i

/** An internal user id in lower case with dashes, so the log finds a user by any spelling; undefined if it is not a UUID. */
export function toUserId(text: string | undefined): string | undefined {
  if (text === undefined || !uuid.test(text)) return undefined
  const digits = text.replaceAll('-', '').toLowerCase()
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
