import type { Handlers } from '../handler.ts'
import { recommendFor } from '../recommend.ts'

export const recommendations: Handlers['recommendations'] = async ({ service, user, query }) => {
  const language = query.language ?? user.language ?? 'en'
  return { status: 200, body: { recommendations: await recommendFor(service.store, user.user_id, language) } }
}
