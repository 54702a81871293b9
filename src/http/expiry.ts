import { toUrl } from '../base/text/to-url.ts'

/**
 * When an action token expires, as RFC 3339. The signature is not checked, because only the service can;
 * undefined for a token that cannot be read, or a URL without one.
 */
export function expiryOf(tokenOrUrl: string): string | undefined {
  const url = toUrl(tokenOrUrl)
  const token = url ? findToken(url) : tokenOrUrl
  const payload = token?.split('.')[1]
  if (payload === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    if (typeof claims !== 'object' || claims === null || !('exp' in claims)) return undefined
    return typeof claims.exp === 'number' ? new Date(claims.exp * 1000).toISOString() : undefined
  } catch {
    return undefined
  }
}

/** The query parameter that looks like a JWT: its name is not part of the contract. */
function findToken(url: URL): string | undefined {
  return [...url.searchParams.values()].find((value) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(value))
}
