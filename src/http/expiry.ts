import { orUndefined } from '../base/functions.ts'
import { toUrl } from '../base/text.ts'

/**
 * The expiry of an action token, or of the token in a URL, as RFC 3339. Undefined if there is no expiry or the token cannot be decoded.
 * Only the service can check the signature.
 */
export function expiryOf(tokenOrUrl: string): string | undefined {
  const url = toUrl(tokenOrUrl)
  // The contract does not define the name of the query parameter, so any value that looks like a token is used.
  const isToken = (value: string) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(value)
  const token = url ? [...url.searchParams.values()].find(isToken) : tokenOrUrl
  const payload = token?.split('.')[1]
  if (payload === undefined) return undefined
  return orUndefined(() => {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    return typeof claims.exp === 'number' ? new Date(claims.exp * 1000).toISOString() : undefined
  })
}
