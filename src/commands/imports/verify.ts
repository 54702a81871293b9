import { FacescanError, RefusedError } from '../../base/errors.ts'
import { count, countOf } from '../../base/text.ts'
import type { KnownImport } from '../../bulk/imports.ts'
import type { VerifiedImport } from '../../bulk/schemas.ts'
import { AnswerService } from '../../bulk/send/api-service.ts'
import { ServiceClock } from '../../bulk/service-clock.ts'
import { Verification } from '../../bulk/verify.ts'
import { commandResult } from '../../framework/command-result.ts'
import type { Context } from '../../framework/context.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { pacingOf, runRows } from '../../framework/many/run-rows.ts'
import { argument, type OptionValues, optionalArgument } from '../../framework/options.ts'
import { refuseChanged } from '../importing/continue-import.ts'
import { sendingOptions } from '../importing/options.ts'
import { type PlannedImport, planImport } from '../importing/plan-import.ts'
import { counted } from '../importing/summary-view.ts'
import { findReadable } from './stored-import.ts'

const { results, maxConcurrency, rate, maxWait, pageParameter } = sendingOptions
const options = { results, maxConcurrency, rate, maxWait, pageParameter }

export default defineCommand({
  output: async () => (await import('../../bulk/schemas.ts')).verifiedImport,
  calls: ['questions.all', 'questions.answered', 'users.get'],
  failures: ['import_rejected', 'import_stopped'],
  connections: ({ maxConcurrency }) => maxConcurrency,
  view: {
    columns: [
      counted('users', 'Users'),
      counted('answers', 'Answers', 3),
      counted('saved', 'Saved', 3),
      counted('missing', 'Missing', 5),
      counted('different', 'Different', 5),
      counted('changed', 'Changed since'),
      counted('unverified', 'Not verified', 4),
      counted('rejected', 'Rejected'),
      {
        key: 'unsaved_file',
        title: 'Unsaved file',
        whole: true,
        cell: ({ unsaved_file }) => unsaved_file ?? 'none',
      },
    ],
  },
  args: {
    import: argument('<import>', 'import ID, or the start of the ID'),
    file: optionalArgument('[file]', 'new path of the input file, or - for standard input'),
  },
  options,
  description: [
    'Lists the answers of the users in the file, and compares the newest answer to a question with the last row of the',
    'file. An answer is saved, missing, different, changed since the import (a newer answer replaced it), or not verified (the list of',
    'the user is incomplete). Rows that the service rejected are counted, but not compared. Missing and different answers are written to a file that can be imported. The exit code is 10',
    'if an answer is missing, different, or not verified.',
  ].join('\n'),
  examples: ['facescan imports verify 3f'],
  async run(ctx, { import: text, file, ...options }) {
    const stored = await findReadable(ctx, text)
    const { id, status, header } = stored
    if (status === 'running')
      throw new RefusedError(`import ${id} is running`, { hint: 'Wait until the import is finished.' })
    const { source, settings } = header
    const sending = { ...options, results: options.results ?? header.results }
    const given = { file: file ?? source, settings, skipInvalid: true, again: false, resumed: header }
    const request = { ...given, sending, purpose: 'verification' } as const
    const planned = await planImport(ctx, request)
    try {
      refuseChanged(planned, request)
      return await verifyImport(ctx, planned, stored, options)
    } finally {
      planned.close()
    }
  },
})

async function verifyImport(
  ctx: Context,
  { checked, report: plan, results, header }: PlannedImport,
  stored: KnownImport,
  given: OptionValues<typeof options>,
) {
  const { users, answers, repeats } = plan
  const sent = `${countOf(answers - repeats.rows, 'answer')} for ${countOf(users, 'user')}`
  const requests = `at least ${countOf(users, 'request')} to ${plan.profile ?? plan.host}`
  ctx.note(`verifying ${sent} with ${requests}`)
  results.prepare()
  const serviceClock = new ServiceClock(ctx.clock)
  const { timeout: timeoutMs } = ctx.flags
  const { attempt: send } = await ctx.api()
  const service = new AnswerService({ send, serviceClock, timeoutMs, pageParameter: given.pageParameter })
  return runRows(ctx, {
    async start(drain) {
      const pacing = { ...pacingOf(ctx, given, header.settings.shard), drain }
      const found = new Verification({ ...pacing, input: checked, service, serviceClock, stored })
      const { counts, engine } = found
      return {
        send: () => engine.run(),
        progress: () => {
          const { users: done, missing, different } = counts
          return { unit: 'users', done, total: users, counts: { missing, different }, pace: engine.pace }
        },
        async finish(end) {
          if (!end.done) throw end.error
          checked.unsaved.saveIn(results)
          results.finish(false)
          const report = { import: stored.id, ...counts, unsaved_file: checked.unsaved.path ?? null }
          const error = explainUnsaved(report, found.whyUnverified)
          return commandResult(report, {
            brief: true,
            error,
            done: error ? undefined : describeVerified(report),
          })
        },
      }
    },
  })
}

function describeVerified({ answers, saved, changed, rejected }: VerifiedImport): string {
  const since = changed > 0 ? `, ${count(changed)} changed since the import` : ''
  const unsent = rejected > 0 ? `, ${count(rejected)} rejected by the service` : ''
  return `${countOf(answers, 'answer')} verified (${count(saved)} saved${since})${unsent}`
}

function explainUnsaved(report: VerifiedImport, why: string | undefined): FacescanError | undefined {
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
