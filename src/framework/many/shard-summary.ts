import { basename, resolve } from 'node:path'
import { replaceFile } from '../../base/files.ts'
import { crcOfFile } from '../../bulk/lists/appended-file.ts'
import type { ListCounts } from '../../bulk/lists/list-journal.ts'
import type { Table } from '../../bulk/rows/table.ts'
import type { ShardSummary } from '../../bulk/schemas.ts'
import { describeShard, type Shard } from '../../bulk/shard.ts'
import type { Files } from './output-paths.ts'

interface ShardRun {
  table: Table
  shard: Shard
  users: number
  key: string
  /** The key that all shards of a list share. */
  commonKey: string
  profile: string | null
  counts: Pick<ListCounts, 'done' | 'failed'>
  files: Files
}

/** Saves the counts of a shard beside its results file, for `imports merge`. */
export function saveShardSummary(path: string, run: ShardRun): void {
  const { table, shard, users, key, commonKey, profile, counts, files } = run
  const { done, failed } = counts
  const summary: ShardSummary = {
    id: key,
    source: table.input.name,
    profile,
    shard: describeShard(shard),
    input_sha256: table.input.identity.sha256,
    settings_sha256: commonKey,
    status: files.out === undefined ? 'stopped' : 'finished',
    rows: users,
    accepted: done,
    rejected: failed,
    unknown: 0,
    unsent: users - done - failed,
    rejects_file: files.errors === undefined ? null : resolve(files.errors),
    unknown_file: null,
    ...(files.out && { results_file: basename(files.out), results_crc32: crcOfFile(files.out) }),
  }
  replaceFile(path.replace(/\.[^./]*$/, '.summary.json'), `${JSON.stringify(summary, null, 2)}\n`)
}
