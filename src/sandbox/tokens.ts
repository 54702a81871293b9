import { randomUUID } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'

/** The API, or the page of a link. A token is valid for one of them. */
export type Audience = 'api' | 'scan' | 'dashboard'

export interface TokenClaims {
  userId: string
  tokenId: string
  expiresAtMs: number
  /** Sections that a dashboard link hides. */
  disabledSections: readonly string[]
}

const tokenLifetimeMs = 6 * 60 * 60 * 1000

export interface TokenRequest {
  userId: string
  audience: Audience
  nowMs: number
  expiresAtMs?: number | undefined
  disabledSections?: readonly string[]
}

/** Signs a token for one user (spec 2.2). It expires after six hours by default. */
export function issueToken(secret: Uint8Array, request: TokenRequest): Promise<string> {
  const expiresAtMs = request.expiresAtMs ?? request.nowMs + tokenLifetimeMs
  return new SignJWT({ user_id: request.userId, disabled_sections: request.disabledSections })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setAudience(request.audience)
    .setJti(randomUUID())
    .setExpirationTime(Math.floor(expiresAtMs / 1000))
    .sign(secret)
}

/** The claims of a valid token for `audience`; undefined for any other text. */
export async function readToken(
  secret: Uint8Array,
  token: string,
  audience: Audience,
  nowMs: number,
): Promise<TokenClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: ['HS256'],
      audience,
      currentDate: new Date(nowMs),
      requiredClaims: ['exp', 'jti'],
    })
    if (typeof payload['user_id'] !== 'string') return undefined
    const sections = payload['disabled_sections']
    return {
      userId: payload['user_id'],
      tokenId: String(payload.jti),
      expiresAtMs: Number(payload.exp) * 1000,
      disabledSections: Array.isArray(sections) ? sections.map(String) : [],
    }
  } catch {
    return undefined
  }
}
