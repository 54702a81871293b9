import { span } from '../../base/clock.ts'
import { FacescanError } from '../../base/errors.ts'
import { requireDirectory } from '../../base/paths.ts'
import { count, countOf } from '../../base/text.ts'
import { findImport } from '../../bulk/imports.ts'
import type { PrintedSummary, VerificationReport } from '../../bulk/schemas.ts'
import { AnswerService } from '../../bulk/send/api-service.ts'
import { ServiceClock } from '../../bulk/service-clock.ts'
import { Verification, type VerifiedRun } from '../../bulk/verify.ts'
import { type CommandResult, commandResult } from '../../framework/command-result.ts'
import type { Context } from '../../framework/context.ts'
import { pacingOf, runRows } from '../../framework/many/run-rows.ts'
import type { RecordView } from '../../output/view.ts'
import type { SendingOptions } from './options.ts'
import type { PlannedImport } from './plan-import.ts'
import { counted, summaryView } from './summary-view.ts'

interface Verified {
  planned: PlannedImport
  stored: VerifiedRun
}

type VerifyOptions = Pick<SendingOptions, 'maxConcurrency' | 'rate' | 'maxWait' | 'pageParameter'>

const verificationColumns = [
  counted('answers', 'Answers', 3),
  counted('saved', 'Saved', 3),
  counted('missing', 'Missing', 5),
  counted('different', 'Different', 5),
  counted('changed', 'Changed since'),
  counted('unverified', 'Not verified', 4),
  counted('rejected', 'Rejected'),
]

export const verificationView: RecordView<VerificationReport> = {
  columns: [
    counted('users', 'Users'),
    ...verificationColumns,
    {
      key: 'unsaved_file',
      title: 'Unsaved file',
      whole: true,
      cell: ({ unsaved_file }) => unsaved_file ?? 'none',
    },
  ],
}

/** Reads the saved answers of all users in the input and reports which answers are missing. */
export async function verifyImport(
  ctx: Context,
  { planned, stored }: Verified,
  options: VerifyOptions,
): Promise<{ report: VerificationReport; error: FacescanError | undefined }> {
  const { checked, report: plan, verifyResults, header } = planned
  ctx.note(`verifying ${describeVerification(plan)}`)
  verifyResults.prepare()
  const serviceClock = new ServiceClock(ctx.clock)
  const { timeout: timeoutMs } = ctx.flags
  const { pageParameter } = options
  const { attempt: send } = await ctx.api()
  const service = new AnswerService({ send, serviceClock, timeoutMs, pageParameter })
  return runRows(ctx, {
    async start(drain) {
      const pacing = { ...pacingOf(ctx, options, header.settings.shard), drain }
      const found = new Verification({ ...pacing, input: checked, service, serviceClock, stored })
      const { counts, engine } = found
      return {
        send: () => engine.run(),
        progress: () => {
          const { users, missing, different } = counts
          const { pace } = engine
          return { unit: 'users', done: users, total: plan.users, counts: { missing, different }, pace }
        },
        async finish(end) {
          if (!end.done) throw end.error
          checked.unsaved.saveIn(verifyResults)
          verifyResults.finish(false)
          const report = { ...counts, unsaved_file: checked.unsaved.path ?? null }
          return { report, error: explainUnsaved(report, found.whyUnverified) }
        },
      }
    },
  })
}

/** Adds the verification to the result of an import. */
export async function addVerification(
  ctx: Context,
  imported: CommandResult<PrintedSummary>,
  planned: PlannedImport,
  options: VerifyOptions,
): Promise<CommandResult<PrintedSummary>> {
  const stored = await findImport(requireDirectory(ctx.paths, 'state'), imported.value.id)
  const verified = { planned, stored: { header: planned.header, ...stored } }
  const { report, error } = await verifyImport(ctx, verified, options)
  const both = joinErrors(imported.error, error)
  const done = both ? undefined : `${imported.done}; ${describeVerified(report)}`
  return commandResult(
    { ...imported.value, verification: report },
    { ...imported, done, error: both, view: summaryView },
  )
}

export function joinErrors(
  first: FacescanError | undefined,
  second: FacescanError | undefined,
): FacescanError | undefined {
  if (first === undefined || second === undefined) return first ?? second
  // A stopped import can be resumed, which is more important than rejected rows.
  const { code, details } = second.code === 'import_rejected' ? first : second
  return new FacescanError(code, `${first.message}; ${second.message}`, {
    ...details,
    hint: [first.details.hint ?? [], second.details.hint ?? []].flat(),
  })
}

export function describeVerified({ answers, saved, changed, rejected }: VerificationReport): string {
  const since = changed > 0 ? `, ${count(changed)} changed since the import` : ''
  const unsent = rejected > 0 ? `, ${count(rejected)} rejected by the service` : ''
  return `${countOf(answers, 'answer')} verified (${count(saved)} saved${since})${unsent}`
}

function describeVerification(plan: PlannedImport['report']): string {
  const { users, answers, repeats, verification_seconds: seconds } = plan
  const time = seconds === null ? '' : `, at least ${span(seconds)}`
  const sent = `${countOf(answers - repeats.rows, 'answer')} for ${countOf(users, 'user')}`
  return `${sent} with at least ${countOf(users, 'request')} to ${plan.profile ?? plan.host}${time}`
}

function explainUnsaved(report: VerificationReport, why: string | undefined): FacescanError | undefined {
  const { answers, missing, different, unverified, unsaved_file } = report
  const unsaved = missing + different
  const parts = [
    unsaved > 0 &&
      `${unsaved} of ${countOf(answers, 'answer')} ${unsaved === 1 ? 'is' : 'are'} not saved (${missing} missing, ${different} different)`,
    unverified > 0 && `${countOf(unverified, 'answer')} could not be verified: ${why}`,
  ].filter((text) => text !== false)
  if (parts.length === 0) return undefined
  return new FacescanError('import_rejected', parts.join('; '), {
    hint: unsaved_file === null ? undefined : `The answers that are not saved are in ${unsaved_file}`,
  })
}
