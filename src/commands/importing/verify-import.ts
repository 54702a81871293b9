import { span } from '../../base/clock.ts'
import { FacescanError } from '../../base/errors.ts'
import { requireDirectory } from '../../base/paths.ts'
import { count, countOf } from '../../base/text.ts'
import { findImport, type KnownImport } from '../../bulk/imports.ts'
import { ResultWriter } from '../../bulk/results/result-file.ts'
import { ResultFolder } from '../../bulk/results/result-folder.ts'
import type { PlanReport, PrintedSummary } from '../../bulk/schemas.ts'
import { AnswerService } from '../../bulk/send/api-service.ts'
import { ServiceClock } from '../../bulk/service-clock.ts'
import { Verification } from '../../bulk/verify.ts'
import { type CommandResult, commandResult } from '../../framework/command-result.ts'
import type { Context } from '../../framework/context.ts'
import { explainStoppedRun } from '../../framework/many/explain-stop.ts'
import { pacingOf, runRows } from '../../framework/many/run-rows.ts'
import { followUp } from '../../output/hint.ts'
import { joinErrors } from './import-errors.ts'
import type { SendingOptions } from './options.ts'
import type { PlannedImport } from './plan-import.ts'
import { summaryView } from './summary-view.ts'

type VerificationReport = NonNullable<PrintedSummary['verification']>

type VerifyOptions = Pick<SendingOptions, 'maxConcurrency' | 'rate' | 'maxWait' | 'pageParameter'>

/** Lists the saved answers of all users in the input. Reports which answers are missing. */
export async function verifyImport(
  ctx: Context,
  { checked, report: plan, resultOptions, header }: PlannedImport,
  stored: KnownImport,
  options: VerifyOptions,
) {
  ctx.note(`verifying ${describeVerification(plan)}`)
  // The results replace the results of an earlier verification of the same input, but not the results of an import.
  const results = new ResultFolder({ ...resultOptions, owner: `${resultOptions.owner}\nverification` })
  results.prepare()
  const unsaved = new ResultWriter('unsaved', checked.table)
  const serviceClock = new ServiceClock(ctx.clock)
  const { timeout: timeoutMs } = ctx.flags
  const { pageParameter } = options
  const { attempt: send } = await ctx.api()
  const service = new AnswerService({ send, serviceClock, timeoutMs, pageParameter })
  const { started, end } = await runRows(ctx, undefined, async (drain) => {
    const pacing = { ...pacingOf(ctx, options, header.settings.shard), drain }
    const parts = { input: checked, unsaved, service, serviceClock, stored }
    const verification = new Verification({ ...pacing, ...parts })
    const { counts, engine } = verification
    return {
      verification,
      send: () => engine.run(),
      progress: () => {
        const { users: done, missing, different } = counts
        return { unit: 'users', done, total: plan.users, counts: { missing, different }, pace: engine.pace }
      },
    }
  })
  try {
    if (!end.done) throw end.error
    unsaved.saveIn(results)
  } finally {
    unsaved.discard()
  }
  const { counts, whyUnverified } = started.verification
  results.finish(false)
  const report = { ...counts, unsaved_file: unsaved.path ?? null }
  const error = explainUnsaved(report, whyUnverified)
  return { report, error, done: error ? undefined : describeVerified(report) }
}

export async function addVerification(
  ctx: Context,
  imported: CommandResult<PrintedSummary>,
  planned: PlannedImport,
  options: VerifyOptions,
): Promise<CommandResult<PrintedSummary>> {
  const stored = await findImport(requireDirectory(ctx.paths, 'state'), imported.value.id)
  const verified = await verifyImport(ctx, planned, { header: planned.header, ...stored }, options).catch(
    (error: unknown) => {
      // The import is finished, so its result is still printed.
      const command = followUp(`imports verify ${stored.id}`, ctx.flags)
      const states = 'the import is finished, but the verification is not'
      const explained = explainStoppedRun(error, states, `Verify the import with: ${command}`)
      return { report: undefined, done: undefined, error: explained }
    },
  )
  const error = joinErrors(imported.error, verified.error)
  const done = error ? undefined : `${imported.done}; ${verified.done}`
  const summary = { ...imported.value, verification: verified.report }
  return commandResult(summary, { ...imported, done, error, view: summaryView })
}

function describeVerification(plan: PlanReport): string {
  const { users, answers, repeats, verification_seconds: seconds } = plan
  const time = seconds === null ? '' : `, at least ${span(seconds)}`
  const sent = `${countOf(answers - repeats.rows, 'answer')} for ${countOf(users, 'user')}`
  return `${sent} with at least ${countOf(users, 'request')} to ${plan.profile ?? plan.host}${time}`
}

function describeVerified({ answers, saved, changed, rejected }: VerificationReport): string {
  const since = changed > 0 ? `, ${count(changed)} changed since the import` : ''
  const unsent = rejected > 0 ? `, ${count(rejected)} rejected by the service` : ''
  return `${countOf(answers, 'answer')} verified (${count(saved)} saved${since})${unsent}`
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
