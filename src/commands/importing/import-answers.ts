import { RefusedError, UsageError } from '../../base/errors.ts'
import { requireDirectory } from '../../base/paths.ts'
import { countOf, quoteWord } from '../../base/text.ts'
import type { KnownImport } from '../../bulk/imports.ts'
import { locateImport } from '../../bulk/new-import.ts'
import type { PlanReport, PrintedSummary, Summary } from '../../bulk/schemas.ts'
import { describeShard } from '../../bulk/shard.ts'
import { summarize, writeSummary } from '../../bulk/summary.ts'
import { type CommandResult, commandResult } from '../../framework/command-result.ts'
import type { Context } from '../../framework/context.ts'
import { checkUserLimit } from '../../framework/many/options.ts'
import { describeEnd, isSameContent } from './earlier-imports.ts'
import type { ImportRequest } from './options.ts'
import { type PlannedImport, planImport } from './plan-import.ts'
import { describeDoubts, describePlan, describeProblems, planView } from './plan-view.ts'
import { type ChosenImport, sendImport } from './send-import.ts'
import { concludeImport } from './summary-view.ts'

type ImportUsers = (planned: PlannedImport) => Promise<void>

/** Checks a file, prints the plan, and sends the answers. Resumes a stopped import of the same file. */
export async function importAnswers(
  ctx: Context,
  request: ImportRequest,
  importUsers?: ImportUsers,
): Promise<CommandResult<PlanReport | PrintedSummary>> {
  const planned = await planImport(ctx, request, 'change')
  try {
    const { report, results } = planned
    checkUserLimit(report.users, request.sending.maxUsers)
    refuseUnknown(planned, request)
    const { dryRun } = ctx.flags
    for (const line of dryRun ? [] : describePlan(report)) ctx.note(line)
    for (const doubt of describeDoubts(report, { listsInvalid: !request.skipInvalid })) ctx.warn(doubt)
    if (!dryRun && (planned.known.length > 0 || request.resumed)) {
      const { refuseChanged } = await import('./continue-import.ts')
      refuseChanged(planned, request)
    }
    refuseInvalid(planned, request)
    if (!dryRun) results.prepare()
    await importUsers?.(planned)
    if (dryRun) {
      saveInvalid(planned)
      return commandResult(report, { view: planView })
    }
    if (report.answers === 0) return concludeEmpty(ctx, planned, request)
    const chosen = await chooseImport(ctx, planned, request)
    const { sending } = request
    const concluded =
      'finished' in chosen
        ? concludeAgain(ctx, chosen.finished, request)
        : await sendImport(ctx, { planned, sending, chosen })
    if (!sending.verify || concluded.value.status === 'stopped') return concluded
    const { addVerification } = await import('./verify-import.ts')
    return await addVerification(ctx, concluded, planned, sending)
  } finally {
    planned.close()
  }
}

/** Resumes an earlier import of the same content, or prepares a new import. */
async function chooseImport(
  ctx: Context,
  planned: PlannedImport,
  request: ImportRequest,
): Promise<ChosenImport | { finished: KnownImport }> {
  const { header, known } = planned
  if (known.some((stored) => isSameContent(stored, header))) {
    const { continueImport } = await import('./continue-import.ts')
    const earlier = await continueImport(ctx, planned, request)
    if (earlier) return earlier
  }
  const { id, folder } = await locateImport(requireDirectory(ctx.paths, 'state'), header, request.again)
  return { folder, header: { ...header, id } }
}

/** Refuses a file of unknown rows from an earlier import, because some of them may already be saved. */
function refuseUnknown({ report }: PlannedImport, { resendUnknown, resumed }: ImportRequest): void {
  if (report.unknown === 0 || resendUnknown || resumed) return
  throw new RefusedError(`${countOf(report.unknown, 'row')} in ${report.name} may already be saved`, {
    hint: [
      'To find the rows that are not saved, run "facescan imports verify" with the ID of the first import.',
      'To send all of these rows again, add --resend-unknown.',
    ].join('\n'),
  })
}

function concludeAgain(
  ctx: Context,
  finished: KnownImport,
  { sending }: ImportRequest,
): CommandResult<Summary> {
  const { header, totals, files, work, folder } = finished
  const { shard } = header.settings
  ctx.note(
    `${shard ? `shard ${describeShard(shard)}` : 'this content'} was already imported ${describeEnd(finished)}; nothing was sent`,
  )
  return concludeImport(summarize(header, totals, { ...work, ...files }), sending, { folder })
}

/** Ends an import without rows to send, such as a shard without users. `imports merge` needs its summary. */
function concludeEmpty(
  ctx: Context,
  { header, checked, results }: PlannedImport,
  { sending }: ImportRequest,
): CommandResult<Summary> {
  ctx.note('no rows to send')
  checked.rejects.saveIn(results)
  const summary = summarize(header, undefined, { rejects_file: checked.rejects.path ?? null })
  if (header.results !== undefined) writeSummary(results, summary)
  results.finish(true)
  return concludeImport(summary, sending)
}

function saveInvalid({ checked, results }: PlannedImport): void {
  checked.rejects.saveIn(results)
  results.finish(false)
}

function refuseInvalid(planned: PlannedImport, { skipInvalid }: ImportRequest): void {
  const { report, checked, results } = planned
  if (report.invalid_in_input === 0 || skipInvalid) return
  saveInvalid(planned)
  const invalid = countOf(report.invalid_in_input, 'invalid row')
  const where = checked.rejects.path
    ? `All invalid rows and the reasons are in ${checked.rejects.path}`
    : `To write all invalid rows to a file, add --results ${quoteWord(results.directory)}`
  throw new UsageError([`${invalid}; nothing was sent`, ...describeProblems(report)], {
    hint: `Fix the file, or import only the valid rows with --skip-invalid. ${where}`,
  })
}
