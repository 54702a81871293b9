import { type MetricName, metricNames } from '../contract/biomarkers.ts'
import type { Language } from '../contract/values.ts'
import { readHealth } from './scores/metrics.ts'
import type { Store } from './store.ts'
import { textsIn } from './texts/index.ts'

const recommendationFor = {
  energy_balance: 'regular_meals',
  general_fitness: 'daily_walk',
  hypertension: 'less_salt',
  mental_health_risk: 'good_moments',
  mental_stress: 'slow_breathing',
  sleep_quality: 'regular_bedtime',
} as const satisfies Record<MetricName, string>

/** Metrics with at least this score need no recommendation. */
const goodScore = 85

/** Recommendations for metrics below 85, the lowest score first. If there is no such metric, one general recommendation. */
export async function recommendFor(store: Store, userId: string, language: Language) {
  const { metrics } = readHealth(store, userId)
  const texts = await textsIn(language)
  const scoreOf = (name: MetricName) => metrics[name]?.score ?? goodScore
  const low = metricNames.filter((name) => scoreOf(name) < goodScore)
  const chosen =
    low.length > 0 ? low.toSorted((a, b) => scoreOf(a) - scoreOf(b)) : ['general_fitness' as const]
  return chosen.map((metric, index) => {
    const key = recommendationFor[metric]
    const slug = key.replaceAll('_', '-')
    return {
      title: texts[`${key}.title`],
      description: texts[`${key}.description`],
      action_url: `https://tips.example.com/${language}/${slug}`,
      action_text: texts[`${key}.action`],
      image_url: `https://images.example.com/recommendations/${slug}.jpg`,
      related_metric: metric,
      relevance: index + 1,
      lookup_key: key,
    }
  })
}
