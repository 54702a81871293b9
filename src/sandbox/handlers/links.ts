import { randomBytes } from 'node:crypto'
import type { Language } from '../../contract/values.ts'
import type { Handlers, Service } from '../handler.ts'
import { Refusal } from '../message.ts'
import type { UserRecord } from '../records.ts'
import { parseTime } from '../time.ts'
import { issueToken, type TokenRequest } from '../tokens.ts'

/** Creates a link with a new host name each time, because clients must not rely on any part of a link (spec 4.2). */
export const scanUrl: Handlers['scanUrl'] = async ({ service, user, query }) => {
  const expiresAtMs = query.expire_at === undefined ? undefined : parseTime(query.expire_at)
  if (expiresAtMs !== undefined && expiresAtMs <= service.now())
    throw new Refusal(400, 'expire_at: must be in the future (UTC)')
  const host = `scan-${randomBytes(6).toString('hex')}`
  const body = await createLink(service, user, query.language, {
    page: `${host}.localhost:${await service.publicPort()}/scan`,
    audience: 'scan',
    expiresAtMs,
  })
  return { status: 200, body }
}

/** Creates a one-time link (spec 4.6). When the page is opened, the token becomes invalid. */
export const dashboardUrl: Handlers['dashboardUrl'] = async ({ service, user, body }) => {
  const link = await createLink(service, user, body.language, {
    page: `dashboard.localhost:${await service.publicPort()}/`,
    audience: 'dashboard',
    disabledSections: body.disabled_sections,
  })
  return { status: 201, body: link }
}

type Link = Omit<TokenRequest, 'userId' | 'nowMs'> & { page: string }

async function createLink(
  { store, now }: Service,
  user: UserRecord,
  language: Language | undefined,
  { page, ...request }: Link,
): Promise<string> {
  const token = await issueToken(store.tokenSecret, { userId: user.user_id, nowMs: now(), ...request })
  const url = new URL(`http://${page}`)
  url.searchParams.set('action_token', token)
  url.searchParams.set('language', language ?? user.language ?? 'en')
  return url.href
}
