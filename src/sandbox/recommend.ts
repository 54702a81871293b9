import type { Language, MetricName } from '../contract/values.ts'
import { readHealth } from './scores/metrics.ts'
import type { Store } from './store.ts'
import { textsIn } from './texts/index.ts'
import type { RecommendationKey } from './texts/texts.ts'

const metricOf: Record<RecommendationKey, MetricName> = {
  daily_walk: 'general_fitness',
  strength_twice_a_week: 'general_fitness',
  regular_bedtime: 'sleep_quality',
  dim_the_evening: 'sleep_quality',
  slow_breathing: 'mental_stress',
  short_breaks: 'mental_stress',
  talk_with_someone: 'mental_health_risk',
  good_moments: 'mental_health_risk',
  less_salt: 'hypertension',
  measure_at_rest: 'hypertension',
  regular_meals: 'energy_balance',
  daylight_early: 'energy_balance',
}

/** Metrics with this score or a higher score need no recommendation. */
const goodScore = 85

const mostShown = 6

/**
 * Recommendations for a user: at most six, for the known metrics below 85, lowest score first. If there is none, one that
 * fits everyone. Relevance starts at 1.
 */
export async function recommendFor(store: Store, userId: string, language: Language) {
  const { metrics } = readHealth(store, userId)
  const { recommendations } = await textsIn(language)
  const known = (Object.keys(metricOf) as RecommendationKey[])
    .map((key) => ({ key, score: metrics[metricOf[key]]?.score ?? Number.POSITIVE_INFINITY }))
    .filter(({ score }) => score < goodScore)
    .toSorted((a, b) => a.score - b.score)
    .slice(0, mostShown)
  const chosen = known.length > 0 ? known.map(({ key }) => key) : (['daily_walk'] as const)
  return chosen.map((key, index) => ({
    ...recommendations[key],
    action_url: `https://tips.example.com/${language}/${key.replaceAll('_', '-')}`,
    image_url: `https://images.example.com/recommendations/${key.replaceAll('_', '-')}.jpg`,
    related_metric: metricOf[key],
    relevance: index + 1,
    lookup_key: key,
  }))
}
