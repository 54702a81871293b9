import { dirname, join, resolve } from 'node:path'
import { NetworkError } from '../../base/errors.ts'
import { version } from '../../base/version.ts'
import { type CheckedInput, checkFile } from '../../bulk/check.ts'
import type { HeaderRecord } from '../../bulk/journal/record.ts'
import { type InputFile, openInput } from '../../bulk/open-input.ts'
import { ResultFolder } from '../../bulk/results/result-folder.ts'
import type { PlanReport } from '../../bulk/schemas.ts'
import { shardSuffix } from '../../bulk/shard.ts'
import type { Context } from '../../command/context.ts'
import { describeService } from './answer-writer.ts'
import { findStarted } from './choose-import.ts'
import type { ImportRequest } from './options.ts'

/** A checked input, its plan, and the header of its import. */
export interface PlannedImport {
  checked: CheckedInput
  results: ResultFolder
  report: PlanReport
  header: HeaderRecord
  close(): void
}

/** Opens the input, checks every row, and shows the progress. */
export async function planImport(ctx: Context, request: ImportRequest): Promise<PlannedImport> {
  const { keys, latencyMs } = await askKeys(ctx)
  const source = isStream(request.file) ? '-' : resolve(request.file)
  const input = await openInput(request.file, ctx.io.stdin, ctx.signal)
  const results = await openResultFolder(ctx, request, source, input)
  let checked: CheckedInput | undefined
  const close = () => {
    checked?.close()
    input.close()
  }
  const plan = async (knownKeys: readonly string[]): Promise<PlannedImport> => {
    checked?.close()
    checked = await check(ctx, request, { input, results, knownKeys })
    const report = await reportOn(ctx, request, checked, latencyMs)
    const header = await headerOf(ctx, request, { report, source, keys: knownKeys })
    return { checked, results, report, header, close }
  }
  try {
    const planned = await plan(keys)
    const started = await findStarted(ctx, planned.header, request)
    // Rows that were valid at the start of an import stay valid, even if the service now has other lookup keys.
    return started && String(started.header.keys) !== String(keys) ? await plan(started.header.keys) : planned
  } catch (error) {
    close()
    throw error
  }
}

/** A dry run without a network continues without lookup keys. */
async function askKeys(ctx: Context): Promise<{ keys: readonly string[]; latencyMs: number | undefined }> {
  const api = await ctx.api()
  const startedAt = ctx.clock.monotonic()
  try {
    return { keys: await api.questions.all(), latencyMs: ctx.clock.monotonic() - startedAt }
  } catch (error) {
    if (!ctx.flags.dryRun || !(error instanceof NetworkError)) throw error
    ctx.warn(`lookup keys were not checked: ${error.message}`)
    return { keys: [], latencyMs: undefined }
  }
}

/** Standard input or a pipe. It has no folder and cannot be opened again. */
function isStream(path: string): boolean {
  return /^(-$|\/dev\/(fd|std)|\/proc\/)/.test(path)
}

async function openResultFolder(
  ctx: Context,
  { settings, sending: { results } }: ImportRequest,
  source: string,
  { path, identity }: InputFile,
): Promise<ResultFolder> {
  const { profile, baseUrl } = await ctx.session()
  const { state } = ctx.paths
  // Different streams have the same path.
  const content = (path === undefined ? identity?.sha256 : undefined) ?? source
  return new ResultFolder({
    directory: resolve(results ?? (source === '-' ? '.' : dirname(source))),
    owner: `${profile}\n${describeService(baseUrl)}\n${content}`,
    suffix: shardSuffix(settings.shard),
    notes: state && join(state, 'results'),
    isUsed: !ctx.flags.dryRun || results !== undefined,
  })
}

async function check(
  ctx: Context,
  { settings }: ImportRequest,
  { input, results, knownKeys }: { input: InputFile; results: ResultFolder; knownKeys: readonly string[] },
): Promise<CheckedInput> {
  const { progress } = ctx
  try {
    return await checkFile(input, settings, {
      knownKeys: knownKeys.length > 0 ? knownKeys : undefined,
      results: results.isUsed ? results : undefined,
      countsOnly: ctx.flags.dryRun,
      signal: ctx.signal,
      onProgress: (read, total) =>
        progress.show(`checking the file: ${Math.floor((100 * read) / Math.max(1, total))}%`),
    })
  } finally {
    progress.clear()
  }
}

async function reportOn(
  ctx: Context,
  { sending }: ImportRequest,
  { plan, mostRequestsOfOneUser }: CheckedInput,
  latencyMs: number | undefined,
): Promise<PlanReport> {
  const { profile, baseUrl } = await ctx.session()
  const seconds =
    latencyMs === undefined
      ? null
      : estimateSeconds({ ...sending, requests: plan.requests, mostRequestsOfOneUser, latencyMs })
  return { ...plan, profile, host: describeService(baseUrl), estimated_seconds: seconds }
}

async function headerOf(
  ctx: Context,
  { settings, skipInvalid }: ImportRequest,
  { report, source, keys }: { report: PlanReport; source: string; keys: readonly string[] },
): Promise<HeaderRecord> {
  const { identity, profile, host, rows, invalid } = report
  const { credential } = await ctx.session()
  const key = profile === null ? credential?.fingerprint : undefined
  const input = { source, identity, settings, skipInvalid, keys, rows, invalid }
  const at = ctx.clock.now()
  return { type: 'HEADER', version: 1, id: '', tool: version, at, profile, key, host, ...input }
}

interface Load {
  requests: number
  mostRequestsOfOneUser: number
  latencyMs: number
  maxConcurrency: number
  rate?: number | undefined
}

/** The first requests in flight, and the growth per round trip. */
const firstInFlight = 4
const growth = 1.8
/** Time per request in this process. */
const ownMs = 0.2

/**
 * Time for sending without failures, in whole seconds. Depends on the ramp-up, the latency, the rate, and the user with
 * the most requests.
 */
function estimateSeconds(load: Load): number {
  const { requests, mostRequestsOfOneUser, latencyMs, maxConcurrency, rate = Number.POSITIVE_INFINITY } = load
  let inFlight = Math.min(firstInFlight, maxConcurrency)
  let sent = 0
  let ms = 0
  while (sent < requests && inFlight < maxConcurrency) {
    sent += inFlight
    ms += latencyMs
    inFlight = Math.min(maxConcurrency, inFlight * growth)
  }
  ms += (Math.max(0, requests - sent) * latencyMs) / maxConcurrency
  const leastMs = Math.max(mostRequestsOfOneUser * latencyMs, (1000 * requests) / rate, ownMs * requests)
  return Math.ceil(Math.max(ms, leastMs) / 1000)
}
