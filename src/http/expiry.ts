import { orUndefined } from '../base/functions.ts'
import { toUrl } from '../base/text.ts'

/**
 * The expiry of an action token, or of the token in a URL, as RFC 3339. Undefined if there is no expiry or the token cannot be decoded.
 * Only the service can check the signature.
 */
export function expiryOf(tokenOrUrl: string): string | undefined {
  const url = toUrl(tokenOrUrl)
  const token = url ? findToken(url) : tokenOrUrl
  const payload = token?.split('.')[1]
  if (payload === undefined) return undefined
  return orUndefined(() => {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    return typeof claims.exp === 'number' ? new Date(claims.exp * 1000).toISOString() : undefined
  })
}

/** Finds the query parameter that looks like a JWT. The contract does not define its name. */
function findToken(url: URL): string | undefined {
  return [...url.searchParams.values()].find((value) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(value))
}
