import { existsSync, readFileSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { FacescanError, systemCode, systemReason, UsageError } from '../../base/errors.ts'
import { orUndefined } from '../../base/functions.ts'
import { count, countOf } from '../../base/text.ts'
import { StagedFile } from '../../bulk/results/staged-file.ts'
import { type MergedSummary, type ShardSummary, shardSummary } from '../../bulk/schemas.ts'
import { writeOrExplain } from '../../bulk/write-or-explain.ts'
import { commandResult } from '../../framework/command-result.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { restArgument } from '../../framework/options.ts'
import { canMerge, formatOfEnding, hasRows } from '../../output/settings.ts'
import type { Column } from '../../output/view.ts'
import { counted, requestColumns, stateColumns } from '../importing/summary-view.ts'

function listed(key: 'rejects_files' | 'unknown_files', title: string): Column<MergedSummary> {
  return { key, title, whole: true, cell: (merged) => merged[key].join('\n') || 'none' }
}

export default defineCommand({
  output: async () => (await import('../../bulk/schemas.ts')).mergedSummary,
  failures: ['import_rejected', 'import_stopped'],
  localEffect: 'change',
  view: {
    columns: [
      { key: 'profile', title: 'Profile' },
      { key: 'status', title: 'Status' },
      counted('shards', 'Shards'),
      ...stateColumns,
      ...requestColumns,
      listed('rejects_files', 'Rejects files'),
      listed('unknown_files', 'Unknown files'),
      { key: 'results_file', title: 'Users', whole: true },
    ],
  },
  args: {
    summaries: restArgument('<summaries...>', 'summary files, or directories that contain them'),
  },
  description: [
    'Combines the summaries of an import with shards. A missing summary is an error. The exit code',
    'is the same as for an import without shards: 10 if rows are rejected or unknown, 11 if a shard stopped.',
    'For `users import`, the command also combines the result files into one file beside them.',
  ].join('\n'),
  examples: ['facescan imports merge results/'],
  async run(_ctx, { summaries: paths }) {
    const files = await Promise.all(paths.map(filesAt))
    const found = await Promise.all(files.flat().map(readSummary))
    const merged = mergeSummaries(found.map(({ summary }) => summary))
    if ('problems' in merged) {
      throw new UsageError(merged.problems, {
        hint: 'Pass the summaries from all shards of the same import. Merge users (*.users.summary.json) and answers separately.',
      })
    }
    const results_file = merged.status === 'finished' ? mergeResults(found) : undefined
    return commandResult({ ...merged, ...(results_file && { results_file }) }, { error: explainEnd(merged) })
  },
})

interface FoundSummary {
  path: string
  summary: ShardSummary
}

/** Writes the users of all shards to one file, such as staff.users.csv. Undefined for an import of answers. */
function mergeResults(found: readonly FoundSummary[]): string | undefined {
  const results = found.flatMap(({ path, summary: { results_file, results_crc32, shard } }) =>
    results_file === undefined
      ? []
      : [
          {
            path: join(dirname(path), results_file),
            crc: results_crc32,
            shard: Number.parseInt(shard ?? '', 10),
          },
        ],
  )
  const [first] = results.sort((a, b) => a.shard - b.shard)
  if (first === undefined) return undefined
  const named = first.path.replace(/\.\d+-of-\d+(\.[^/]*)$/, '$1')
  // Without a shard number in --out, the merged file would have the name of the first shard's file, so `.merged` is added.
  const path = named === first.path ? named.replace(/(\.[^./]*)$/, '.merged$1') : named
  if (existsSync(path))
    throw new UsageError(`${path} already exists`, { hint: 'Delete it, or move it to another directory.' })
  const format = formatOfEnding(extname(path))
  if (format === undefined || !canMerge(format))
    throw new UsageError(`${path}: only CSV, TSV, and NDJSON files can be merged`)
  const merged = new StagedFile()
  const hasHeader = hasRows(format)
  for (const { path, crc } of results) {
    const content = orUndefined(() => readFileSync(path))
    if (content === undefined || crc32(content) !== crc) {
      const problem = content ? 'was changed after its shard was complete' : 'cannot be read'
      throw new UsageError(`${path} ${problem}`, {
        hint: 'Copy the files and the summaries of all shards to one directory again.',
      })
    }
    merged.add(hasHeader && path !== first.path ? content.subarray(content.indexOf('\n') + 1) : content)
  }
  writeOrExplain(path, () => merged.saveAs(path))
  return path
}

function explainEnd({ status, unsent, unknown, rejected }: MergedSummary): FacescanError | undefined {
  if (status === 'stopped') {
    const left = `${countOf(unsent, 'answer')} unsent and ${count(unknown)} unknown`
    const hint = 'Run the stopped shards again to resume them.'
    return new FacescanError('import_stopped', left, { hint })
  }
  const refused = rejected + unknown
  return refused === 0
    ? undefined
    : new FacescanError('import_rejected', `${countOf(refused, 'answer')} not accepted`)
}

async function filesAt(path: string): Promise<string[]> {
  const found = await stat(path).catch((cause: unknown) => {
    const isMissing = systemCode(cause) === 'ENOENT'
    const problem = isMissing ? `${path} does not exist` : `cannot read ${path} (${systemReason(cause)})`
    throw new UsageError(problem, { cause })
  })
  if (!found.isDirectory()) return [path]
  const entries = await readdir(path, { withFileTypes: true })
  // Also finds file names of version 0.1, such as summary.3-of-16.json.
  const files = entries.filter(({ name }) => /(^|\.)summary(-\d+)?(\.\d+-of-\d+)?\.json$/.test(name))
  // If the directory contains no summary, each shard can have its own subdirectory.
  const folders = files.length === 0 ? entries.filter((entry) => entry.isDirectory()) : []
  const inFolders = await Promise.all(folders.map(({ name }) => filesAt(join(path, name))))
  return [...files.map(({ name }) => join(path, name)), ...inFolders.flat()]
}

async function readSummary(path: string): Promise<FoundSummary> {
  const found = await readFile(path, 'utf8')
    .then(JSON.parse)
    .catch((cause: unknown) => {
      throw new UsageError(`${path} is not an import summary file (invalid JSON)`, { cause })
    })
  if (isSummary(found)) return { path, summary: found }
  throw new UsageError(`${path} is not an import summary file`)
}

/** Whether the value is a summary of an import. Its fields match the schema, and its states add up to the number of rows. */
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
  // Some summaries do not have every count: a summary of a list of users has no count of requests. Missing counts are skipped.
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
