import type { SummaryProfile } from '../../contract/values.ts'
import type { PageTexts } from '../pages/texts/page-texts.ts'
import type { Level } from '../scores/wellbeing.ts'

export type RecommendationKey =
  | 'daily_walk'
  | 'strength_twice_a_week'
  | 'regular_bedtime'
  | 'dim_the_evening'
  | 'slow_breathing'
  | 'short_breaks'
  | 'talk_with_someone'
  | 'good_moments'
  | 'less_salt'
  | 'measure_at_rest'
  | 'regular_meals'
  | 'daylight_early'

export type Summary = { feedback: string; tip: string }

interface RecommendationText {
  title: string
  description: string
  action_text: string
}

/** All texts for users in one language. */
export interface Texts {
  pages: PageTexts
  summaries: Record<SummaryProfile, Record<Level, Summary>>
  recommendations: Record<RecommendationKey, RecommendationText>
}
