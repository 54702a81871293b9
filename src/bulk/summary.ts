import type { HeaderRecord } from './journal/record.ts'
import type { Totals } from './journal/state.ts'

/** What became of an import. The four states add up to `rows`. */
export interface Summary {
  id: string
  source: string
  profile: string
  status: 'finished' | 'stopped'
  rows: number
  accepted: number
  /** By the check or by the service. */
  rejected: number
  /** Sent, and nobody can tell whether it was saved; those of a stopped import are looked up when it goes on. */
  unknown: number
  unsent: number
  /** Requests of this run. */
  requests: number
  retried: number
  seconds: number
  rejects_file: string | null
  unknown_file: string | null
}

/** Rows of an import by their state, from what its journal says. */
export function countStates({ rows, invalid }: Pick<HeaderRecord, 'rows' | 'invalid'>, totals: Totals) {
  const rejected = invalid + totals.rejected
  const unknown = totals.unknown + totals.open
  return {
    rows,
    accepted: totals.accepted,
    rejected,
    unknown,
    unsent: rows - totals.accepted - rejected - unknown,
  }
}
