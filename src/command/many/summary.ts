import type { RecordView } from '../../output/view.ts'
import { type Outcome, outcome } from '../outcome.ts'
import { type Conclusion, conclude, countUsers } from './conclude.ts'

/** The result of a command that changes every user of a list. */
export interface ListSummary {
  users: number
  done: number
  failed: number
  not_tried: number
  /** File with the result, if the run is complete. */
  file: string | null
  errors_file: string | null
}

export const listSummaryView: RecordView<ListSummary> = {
  kind: 'record',
  columns: [
    { key: 'users', title: 'Users' },
    { key: 'done', title: 'Done' },
    { key: 'failed', title: 'Failed' },
    { key: 'not_tried', title: 'Not tried' },
    { key: 'file', title: 'File', whole: true },
    { key: 'errors_file', title: 'Errors', whole: true },
  ],
}

/** The result of a run, with one sentence on success or an error otherwise. */
export function summarize(conclusion: Conclusion): Outcome<ListSummary> {
  const { out = null, errors = null } = conclusion.files
  const summary = { ...countUsers(conclusion), file: out, errors_file: errors }
  return outcome(summary, conclude(conclusion))
}
