import type { StoredImport } from '../../bulk/imports.ts'
import type { ShownImport } from '../../bulk/schemas.ts'
import { countStates } from '../../bulk/summary.ts'
import type { Column } from '../../output/view.ts'

const noCounts = { rows: null, accepted: null, rejected: null, unknown: null, unsent: null }
const noWork = { requests: null, retried: null, seconds: null }

export function toShown({
  id,
  status,
  header,
  totals,
  lastAt,
  problem,
  files,
  work,
}: StoredImport): ShownImport {
  return {
    id,
    status,
    source: header?.source ?? null,
    profile: header?.profile ?? null,
    host: header?.host ?? null,
    started_at: header ? new Date(header.at).toISOString() : null,
    last_activity_at: lastAt ? new Date(lastAt).toISOString() : null,
    ...(header && totals ? countStates(header, totals) : noCounts),
    ...(work ?? noWork),
    rejects_file: files?.rejects_file ?? null,
    unknown_file: files?.unknown_file ?? null,
    problem: problem ?? null,
  }
}

export const identityColumns: readonly Column<ShownImport>[] = [
  { key: 'id', title: 'Import', whole: true },
  { key: 'status', title: 'Status', whole: true, priority: 9 },
  { key: 'source', title: 'Input', priority: 2 },
  { key: 'profile', title: 'Profile', whole: true, priority: 1 },
  { key: 'started_at', title: 'Started', time: true, priority: 5 },
]
