import { randomUUID } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { hourMs } from '../base/clock.ts'

/** The part of the service that accepts a token: the API, the page of scan links, or the page of dashboard links. */
export type Audience = 'api' | 'scan' | 'dashboard'

export interface TokenRequest {
  userId: string
  audience: Audience
  nowMs: number
  /** Expiry time (default: six hours after `nowMs`). */
  expiresAtMs?: number | undefined
  /** Dashboard sections that the link hides. */
  disabledSections?: readonly string[]
}

const tokenLifetimeMs = 6 * hourMs

export function issueToken(secret: Uint8Array, request: TokenRequest): Promise<string> {
  const expiresAtMs = request.expiresAtMs ?? request.nowMs + tokenLifetimeMs
  return new SignJWT({ user_id: request.userId, disabled_sections: request.disabledSections })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setAudience(request.audience)
    .setJti(randomUUID())
    .setExpirationTime(Math.floor(expiresAtMs / 1000))
    .sign(secret)
}

export type TokenClaims = NonNullable<Awaited<ReturnType<typeof readToken>>>

/** The claims of a token that is valid for `audience`. Undefined for an invalid token. */
export async function readToken(secret: Uint8Array, token: string, audience: Audience, nowMs: number) {
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: ['HS256'],
      audience,
      currentDate: new Date(nowMs),
      requiredClaims: ['exp', 'jti'],
    })
    const { user_id: userId, disabled_sections: sections, jti, exp } = payload
    if (typeof userId !== 'string') return undefined
    const disabledSections = Array.isArray(sections) ? sections.map(String) : []
    return { userId, tokenId: String(jti), expiresAtMs: Number(exp) * 1000, disabledSections }
  } catch {
    return undefined
  }
}
