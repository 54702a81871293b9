import { type MergedSummary, type ShardSummary, shardSummary } from './schemas.ts'

/** Whether the value is a summary of an import: the fields match the schema, and the rows in all states add up to the number of rows. */
export function isSummary(value: unknown): value is ShardSummary {
  const { success, data } = shardSummary.safeParse(value)
  return success && states.reduce((sum, key) => sum + data[key], 0) === data.rows
}

const states = ['accepted', 'rejected', 'unknown', 'unsent'] as const

const counts = ['rows', ...states, 'requests', 'retried'] as const

export function mergeSummaries(summaries: readonly ShardSummary[]): MergedSummary | { problems: string[] } {
  const [first] = summaries
  const problems = first ? [...foreign(first, summaries), ...missing(summaries)] : ['no summaries found']
  if (!first || problems.length > 0) return { problems }
  // A summary of users does not count requests.
  const keys = counts.filter((key) => first[key] !== undefined)
  const sums = Object.fromEntries(
    keys.map((key) => [key, summaries.reduce((sum, summary) => sum + (summary[key] ?? 0), 0)]),
  ) as Pick<ShardSummary, (typeof counts)[number]>
  const files = (key: 'rejects_file' | 'unknown_file') =>
    summaries.map((summary) => summary[key]).filter((path) => path !== null)
  return {
    input_sha256: first.input_sha256,
    profile: first.profile,
    status: summaries.every(({ status }) => status === 'finished') ? 'finished' : 'stopped',
    shards: summaries.length,
    ...sums,
    rejects_files: files('rejects_file'),
    unknown_files: files('unknown_file'),
  }
}

function foreign(first: ShardSummary, summaries: readonly ShardSummary[]): string[] {
  return summaries.flatMap((summary) => {
    const name = `${summary.shard ? `shard ${summary.shard} of ` : ''}import ${summary.id}`
    if (summary.input_sha256 !== first.input_sha256)
      return [`${name} and import ${first.id} have different inputs`]
    if (summary.settings_sha256 !== first.settings_sha256) {
      return [`${name} and import ${first.id} have different settings`]
    }
    return []
  })
}

function missing(summaries: readonly ShardSummary[]): string[] {
  const shards = summaries.map(({ shard }) => shard?.split('/').map(Number) ?? [1, 1])
  const sizes = [...new Set(shards.map(([, count]) => count))]
  if (sizes.length > 1) return [`the summaries have different shard counts: ${sizes.join(' and ')}`]
  const given = shards.map(([number]) => number)
  const twice = new Set(given.filter((number, at) => given.indexOf(number) !== at))
  const wanted = Array.from({ length: sizes[0] ?? 0 }, (_, index) => index + 1)
  const absent = wanted.filter((number) => !given.includes(number))
  return [
    ...[...twice].map((number) => `more than one summary for shard ${number}/${sizes[0]}`),
    ...(absent.length > 0 ? [`missing shards: ${absent.join(', ')} (of ${sizes[0]})`] : []),
  ]
}
