import type { Handlers } from '../handler.ts'
import { recommendFor } from '../recommend.ts'
import { readHealth } from '../scores/metrics.ts'
import { scoreWellbeing, wellbeingLevels } from '../scores/wellbeing.ts'
import { textsIn } from '../texts/index.ts'
import { utcTimestamp } from '../time.ts'

export const metrics: Handlers['metrics'] = ({ service, user }) => {
  const { metrics: scored, updatedAtMs } = readHealth(service.store, user.user_id)
  if (updatedAtMs === undefined) return { status: 204, body: null }
  return { status: 200, body: { metrics: scored, last_update: utcTimestamp(updatedAtMs) } }
}

export const wellbeing: Handlers['wellbeing'] = ({ service, user }) => {
  const { status_label, ...scores } = scoreWellbeing(service.store, user, service.now())
  // The earlier revision of the API has no status label (spec 2.4, 9).
  return { status: 200, body: service.revision === 'earlier' ? scores : { ...scores, status_label } }
}

export const summary: Handlers['summary'] = async ({ service, user, params, query }) => {
  const { level } = wellbeingLevels(service.store, user, service.now())[params.profile]
  const texts = await textsIn(query.language)
  const { profile } = params
  const feedback = texts[`summary.${profile}.${level}.feedback`]
  return { status: 200, body: { feedback, tip: texts[`summary.${profile}.${level}.tip`] } }
}

export const recommendations: Handlers['recommendations'] = async ({ service, user, query }) => {
  const language = query.language ?? user.language ?? 'en'
  return { status: 200, body: { recommendations: await recommendFor(service.store, user.user_id, language) } }
}
