import type { Handlers } from '../handler.ts'
import { issueToken } from '../tokens.ts'

/** Creates a one-time link (spec 4.6). The page marks the token as used when it is opened. */
export const dashboardUrl: Handlers['dashboardUrl'] = async ({ service, user, body }) => {
  const url = new URL(`http://dashboard.localhost:${service.publicPort()}/`)
  const token = await issueToken(service.store.tokenSecret, {
    userId: user.user_id,
    audience: 'dashboard',
    nowMs: service.now(),
    disabledSections: body.disabled_sections,
  })
  url.searchParams.set('action_token', token)
  url.searchParams.set('language', body.language ?? user.language ?? 'en')
  return { status: 201, body: url.href }
}
