import type { LookupKey } from '../../contract/values.ts'
import type { Answers } from '../records/answers.ts'
import type { TodoName } from './texts/page-texts.ts'

const questions: Record<TodoName, readonly LookupKey[]> = {
  sleep: ['average_sleep_hours', 'nightly_wake_ups'],
  movement: ['hours_sport_week', 'daily_activities', 'balance_coordination'],
  stress: ['feeling_stressed_last_month', 'struggling_irritations_last_month', 'things_your_way_last_month'],
  body: ['height', 'weight'],
  background: ['smoking', 'parental_hypertension'],
}

/** The groups of questions that contain an unanswered question. */
export function todosFor(answers: Answers): TodoName[] {
  const names = Object.keys(questions) as TodoName[]
  return names.filter((name) => questions[name].some((key) => answers[key] === undefined))
}
