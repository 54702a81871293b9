/** What stands in place of a credential wherever a request or reply is shown. */
export const mask = '***'

const secretHeaders: ReadonlySet<string> = new Set([
  'x-api-key',
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
])

export function maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      secretHeaders.has(name.toLowerCase()) ? maskHeader(value) : value,
    ]),
  )
}

/** The scheme of an Authorization header stays readable. */
function maskHeader(value: string): string {
  return value.startsWith('Token ') ? `Token ${mask}` : mask
}

/** The path as the contract spells it, so that no id reaches a trace. */
export function maskUrl(url: URL): string {
  const names = [...url.searchParams.keys()].map((name) => `${name}=${mask}`)
  const path = url.pathname.replace(/[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, mask)
  return `${url.origin}${path}${names.length === 0 ? '' : `?${names.join('&')}`}`
}
