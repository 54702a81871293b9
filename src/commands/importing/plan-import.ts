import { dirname, join, resolve } from 'node:path'
import { NetworkError } from '../../base/errors.ts'
import { once } from '../../base/functions.ts'
import { version } from '../../base/process.ts'
import { type CheckedInput, checkFile } from '../../bulk/check.ts'
import type { KnownImport } from '../../bulk/imports.ts'
import type { InputFile } from '../../bulk/input-file.ts'
import type { HeaderRecord } from '../../bulk/journal/record.ts'
import { openInput } from '../../bulk/open-input.ts'
import { ResultFolder, type ResultFolderOptions, stemOf } from '../../bulk/results/result-folder.ts'
import type { PlanReport } from '../../bulk/schemas.ts'
import { rateOfShard, shardName } from '../../bulk/shard.ts'
import type { ImportSettings } from '../../bulk/types.ts'
import { describeService } from '../../bulk/writers/active-writers.ts'
import type { Context } from '../../framework/context.ts'
import { openAndAsk } from '../../framework/many/open-and-ask.ts'
import { findStarted, importsTo } from './earlier-imports.ts'
import type { PlanRequest } from './options.ts'
import { describeSample } from './plan-view.ts'

export interface PlannedImport {
  /** Earlier imports to the same service. */
  known: readonly KnownImport[]
  /** The earlier import of the same rows. This command resumes it or reports its result. */
  started: KnownImport | undefined
  checked: CheckedInput
  results: ResultFolder
  resultOptions: ResultFolderOptions
  report: PlanReport
  header: HeaderRecord
  /** The command line, with flags for the answers from prompts. */
  line: string
  close(): void
}

/** Opens the input, checks all rows, and shows the progress. Prompts for missing settings on a terminal. */
export async function planImport(
  ctx: Context,
  request: PlanRequest,
  effect: 'read' | 'change',
): Promise<PlannedImport> {
  const service = once(() => askService(ctx))
  return openAndAsk<ImportSettings, PlannedImport>(ctx, {
    ...request,
    effect,
    setting: request.settings,
    open: (settings, line) => planOnce(ctx, { ...request, settings }, line, service),
    show: ({ report }) => ctx.flags.dryRun || ctx.note(describeSample(report).join('\n')),
    // Answers are imported after all users were created, so a started import of answers has no next step.
    hasNext: ({ started }) => request.settings.withUsers === true && !started,
  })
}

async function planOnce(
  ctx: Context,
  request: PlanRequest,
  line: string,
  service: () => Promise<Asked>,
): Promise<PlannedImport> {
  // The file is opened first, so that an error about the key or the network does not hide a wrong file name.
  const input = await openInput(request.file, ctx.io.stdin, { ...request.settings, signal: ctx.signal })
  let checked: CheckedInput | undefined
  const close = () => {
    checked?.close()
    input.close()
  }
  try {
    const asked = await service()
    const { keys, target } = asked
    const { settings, skipInvalid, sending } = request
    // Standard input and a pipe have no directory and cannot be opened again.
    const source = /^(-$|\/dev\/(fd|std)|\/proc\/)/.test(request.file) ? '-' : resolve(request.file)
    const resultOptions = resultOptionsOf(ctx, request, { target, source, input })
    const results = new ResultFolder(resultOptions)
    // `imports merge` needs the summary of each shard.
    const summaryFolder = sending.results !== undefined || settings.shard ? results.directory : undefined
    const plan = async (knownKeys: readonly string[]) => {
      checked?.close()
      checked = await check(ctx, request, { input, knownKeys, keepsInvalid: results.isUsed })
      const report = reportOn(checked, request, asked)
      const { identity, rows, invalid } = report
      const content = { ...target, source, keys: knownKeys, results: summaryFolder, identity, rows, invalid }
      const header = { ...headerStart, at: ctx.clock.now(), settings, skipInvalid, ...content }
      return { checked, results, resultOptions, report, header, line, close }
    }
    const planned = await plan(keys)
    const known = await importsTo(ctx, planned.header)
    const started = findStarted(known, planned.header, request)
    // A resumed import uses its original lookup keys. Its valid rows stay valid, even if the service has changed its keys.
    const areOther = started && String(started.header.keys) !== String(keys)
    if (settings.ignoreColumns && planned.checked)
      (await import('../../framework/many/row-flags.ts')).noteMissing(ctx, planned.checked.table)
    return { ...(areOther ? await plan(started.header.keys) : planned), known, started }
  } catch (error) {
    close()
    throw error
  }
}

const headerStart = { type: 'HEADER', version: 1, id: '', tool: version } as const

type Target = Pick<HeaderRecord, 'profile' | 'host' | 'key'>
type Asked = Awaited<ReturnType<typeof askService>>

/** The service and its lookup keys. If the service cannot be reached, a dry run continues without lookup keys. */
async function askService(ctx: Context) {
  const api = await ctx.api()
  const { profile, baseUrl, credential } = await ctx.session()
  const key = profile === null ? credential?.fingerprint : undefined
  const target: Target = { profile, host: describeService(baseUrl), key }
  const startedAt = ctx.clock.monotonic()
  try {
    const keys: readonly string[] = await api.questions.all()
    return { target, keys, latencyMs: ctx.clock.monotonic() - startedAt }
  } catch (error) {
    if (!ctx.flags.dryRun || !(error instanceof NetworkError)) throw error
    ctx.warn(`lookup keys were not checked: ${error.message}`)
    return { target, keys: [], latencyMs: undefined }
  }
}

function resultOptionsOf(
  { flags, paths }: Context,
  { settings, sending: { results } }: PlanRequest,
  { target, source, input }: { target: Target; source: string; input: InputFile },
): ResultFolderOptions {
  // Different streams can have the same path, so a stream is identified by a hash of its content.
  const content = input.path === undefined ? input.identity.sha256 : source
  return {
    directory: resolve(results ?? (source === '-' ? '.' : dirname(source))),
    owner: [target.profile, target.host, content].join('\n'),
    stem: (source !== '-' && stemOf(source)) || 'answers',
    suffix: settings.shard ? `.${shardName(settings.shard)}` : '',
    notes: paths.state && join(paths.state, 'results'),
    isUsed: !flags.dryRun || results !== undefined,
  }
}

async function check(
  ctx: Context,
  { settings, sending }: PlanRequest,
  {
    input,
    knownKeys,
    keepsInvalid,
  }: { input: InputFile; knownKeys: readonly string[]; keepsInvalid: boolean },
): Promise<CheckedInput> {
  const { progress } = ctx
  try {
    return await checkFile(input, settings, {
      knownKeys: knownKeys.length > 0 ? knownKeys : undefined,
      keepsInvalid,
      // Without lookup keys, the service was not reached, so users cannot be looked up.
      findOtherUsers:
        knownKeys.length > 0
          ? async (expected) =>
              (await import('./compare-ids.ts')).findOtherUsers(ctx, expected, sending, settings.shard)
          : undefined,
      signal: ctx.signal,
      onProgress: (read, total) =>
        progress.show(`checking the file: ${Math.floor((100 * read) / Math.max(1, total))}%`),
    })
  } finally {
    progress.clear()
  }
}

const ownMs = 0.2

function reportOn(
  checked: CheckedInput,
  { sending, settings }: PlanRequest,
  { target: { profile, host }, latencyMs }: Asked,
): PlanReport {
  const { plan, mostRequestsOfOneUser } = checked
  const { maxConcurrency } = sending
  const rate = rateOfShard(sending.rate, settings.shard) ?? Number.POSITIVE_INFINITY
  const secondsFor = (requests: number, mostOfOneUser: number) => {
    if (latencyMs === undefined) return null
    const inSequence = Math.max(requests / maxConcurrency, mostOfOneUser)
    return Math.ceil(Math.max((inSequence * latencyMs) / 1000, requests / rate, (requests * ownMs) / 1000))
  }
  return {
    ...plan,
    profile,
    host,
    estimated_seconds: secondsFor(plan.requests, mostRequestsOfOneUser),
    verification_seconds: sending.verify ? secondsFor(plan.users, 1) : null,
    latency_ms: latencyMs === undefined ? null : Math.round(latencyMs),
  }
}
