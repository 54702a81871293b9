import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { orUndefined } from '../base/functions.ts'
import type { HeaderRecord } from './journal/record.ts'
import type { Totals } from './journal/state.ts'
import type { ResultFolder } from './results/result-folder.ts'
import { StagedFile } from './results/staged-file.ts'
import type { Summary } from './schemas.ts'
import { describeShard } from './shard.ts'

export type ResultPaths = Pick<Summary, 'rejects_file' | 'unknown_file'>

const noTotals: Totals = { accepted: 0, rejected: 0, unknown: 0, open: 0 }

export function countStates({ rows, invalid }: Pick<HeaderRecord, 'rows' | 'invalid'>, totals = noTotals) {
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

/** The summary of an import. `run` contains the requests, times, and result files of this run. It is omitted if no row was left to send. */
export function summarize(
  header: HeaderRecord,
  totals: Totals | undefined,
  run: Partial<Summary> = {},
): Summary {
  const nothing = { requests: 0, retried: 0, seconds: 0, sent_now: 0, rejects_file: null, unknown_file: null }
  return { ...identify(header), status: 'finished', ...countStates(header, totals), ...nothing, ...run }
}

export function identify(header: HeaderRecord) {
  const { id, source, profile, host, identity, settings, skipInvalid } = header
  const { shard, ...shared } = settings
  // A header from a journal has no undefined fields. A new header must have the same hash, so its undefined fields are removed.
  const given = Object.entries({ ...shared, skipInvalid, profile, host }).filter(
    ([, value]) => value !== undefined,
  )
  const sorted = given.sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    id,
    source,
    profile,
    shard: shard ? describeShard(shard) : null,
    input_sha256: identity.sha256,
    settings_sha256: createHash('sha256').update(JSON.stringify(sorted)).digest('hex'),
  }
}

/** Saves the summary in the directory of the result files, where `imports merge` finds it. */
export function writeSummary(folder: ResultFolder, summary: Summary): void {
  const file = new StagedFile()
  file.add(`${JSON.stringify(summary, null, 2)}\n`)
  folder.save(file, { name: 'summary', format: 'json' }, (path) => {
    const earlier = orUndefined((): Partial<Summary> => JSON.parse(readFileSync(path, 'utf8')))
    const { input_sha256, settings_sha256 } = summary
    return earlier?.input_sha256 === input_sha256 && earlier.settings_sha256 === settings_sha256
  })
}
