import { randomBytes } from 'node:crypto'
import type { Handlers } from '../handler.ts'
import { Refusal } from '../refusal.ts'
import { parseTime } from '../time.ts'
import { issueToken } from '../tokens.ts'

/** Creates a link with a new host name each time, because clients must not rely on any part of it (spec 4.2). */
export const scanUrl: Handlers['scanUrl'] = async ({ service, user, query }) => {
  const expiresAtMs = query.expire_at === undefined ? undefined : parseTime(query.expire_at)
  if (expiresAtMs !== undefined && expiresAtMs <= service.now()) {
    throw new Refusal(400, 'expire_at: must be in the future (UTC)')
  }
  const url = new URL(`http://scan-${randomBytes(6).toString('hex')}.localhost:${service.publicPort()}/scan`)
  const token = await issueToken(service.store.tokenSecret, {
    userId: user.user_id,
    audience: 'scan',
    nowMs: service.now(),
    expiresAtMs,
  })
  url.searchParams.set('action_token', token)
  url.searchParams.set('language', query.language ?? user.language ?? 'en')
  return { status: 200, body: url.href }
}
