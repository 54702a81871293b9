import type { Handlers } from '../handler.ts'
import { biomarkers } from './biomarkers.ts'
import { ceLabel } from './ce-label.ts'
import { dashboardUrl, scanUrl } from './links.ts'
import { questions } from './questions.ts'
import { metrics, recommendations, summary, wellbeing } from './scores.ts'
import { users } from './users.ts'
import { widgets } from './widgets.ts'

/** Every handler. A missing handler, or a response that does not match the contract, does not compile. */
export const handlers: Handlers = {
  users,
  scanUrl,
  biomarkers,
  metrics,
  wellbeing,
  summary,
  questions,
  dashboardUrl,
  recommendations,
  ceLabel,
  widgets,
}
