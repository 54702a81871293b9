import { version } from '../../base/version.ts'
import type { CheckedInput } from '../../bulk/check.ts'
import type { HeaderRecord } from '../../bulk/journal/record.ts'
import type { PlanReport } from '../../bulk/schemas.ts'
import { createAnswerService } from '../../bulk/send/api-service.ts'
import { whyHidden } from '../../bulk/send/lane.ts'
import { ServiceClock } from '../../bulk/send/service-clock.ts'
import type { UserRef } from '../../bulk/types.ts'
import type { Context } from '../../command/context.ts'
import { describeService } from './answer-writer.ts'
import type { OpenInput } from './check-input.ts'
import { findStarted } from './choose-import.ts'
import { estimateSeconds } from './estimate.ts'
import type { ImportRequest, SendingOptions } from './options.ts'

/** Only the plan needs this list. */
const longestCheckMs = 3_000

export interface PlannedImport {
  report: PlanReport
  header: HeaderRecord
}

/** Rows that were valid at the start of a stopped import stay valid, even if the service now has other lookup keys. */
export async function planImport(
  ctx: Context,
  input: OpenInput,
  request: ImportRequest,
  source: string,
): Promise<PlannedImport> {
  const report = await reportOn(ctx, input, request.sending)
  const { credential } = await ctx.session()
  const key = report.profile === null ? credential?.fingerprint : undefined
  const header = { ...headerOf(report, request, source, input.keys, ctx.clock.now()), key }
  const started = report.unknown_keys.length > 0 ? await findStarted(ctx, header, request) : undefined
  if (!started || String(started.keys) === String(input.keys)) return { report, header }
  await input.recheck(started.keys)
  return planImport(ctx, input, request, source)
}

async function reportOn(
  ctx: Context,
  { checked: { plan, mostRequestsOfOneUser }, latencyMs }: OpenInput,
  { maxConcurrency, rate }: SendingOptions,
): Promise<PlanReport> {
  const { profile, baseUrl } = await ctx.session()
  const { requests } = plan
  const load = { requests, mostRequestsOfOneUser, latencyMs: latencyMs ?? 0, maxConcurrency, rate }
  return {
    ...plan,
    profile,
    host: describeService(baseUrl),
    estimated_seconds: latencyMs === undefined ? null : estimateSeconds(load),
  }
}

function headerOf(
  { identity, profile, host, rows, invalid }: PlanReport,
  { settings, skipInvalid }: ImportRequest,
  source: string,
  keys: readonly string[],
  at: number,
): HeaderRecord {
  const input = { source, identity, settings, skipInvalid, keys, rows, invalid }
  return { type: 'HEADER', version: 1, id: '', tool: version, at, profile, host, ...input }
}

/** Whether the list of answers of the first user can prove which answers were saved. */
export async function describeEvidence(
  ctx: Context,
  { batches, hasBothIds }: CheckedInput,
  { pageParameter }: SendingOptions,
): Promise<string | undefined> {
  const user = await firstUser(batches())
  if (user === undefined) return undefined
  const why = whyHidden(user, hasBothIds) ?? (await whyUnusable(ctx, user, pageParameter))
  return why === undefined
    ? 'if the outcome of a request is unknown, facescan will check the user’s saved answers'
    : `if the outcome of a request is unknown, its rows will be unknown too, because ${why}`
}

async function firstUser(batches: ReturnType<CheckedInput['batches']>): Promise<UserRef | undefined> {
  for await (const { user } of batches) return user
  return undefined
}

async function whyUnusable(ctx: Context, user: UserRef, pageParameter: string): Promise<string | undefined> {
  const serviceClock = new ServiceClock(ctx.clock)
  const timeoutMs = Math.min(ctx.flags.timeout, longestCheckMs)
  const service = createAnswerService({ api: await ctx.api(), serviceClock, timeoutMs, pageParameter })
  try {
    const listing = await service.list(user, (ask) => ask())
    if (listing === 'unavailable') return 'the service did not return a list of answers'
    if (!listing.usable) return listing.why
    return serviceClock.isKnown ? undefined : 'the service sends no Date header'
  } catch {
    ctx.signal.throwIfAborted()
    return 'the service refused to list answers'
  }
}
