import { UsageError } from '../../base/errors.ts'
import { countOf } from '../../base/text.ts'
import type { PlanReport, PrintedSummary } from '../../bulk/schemas.ts'
import type { Reading } from '../../bulk/types.ts'
import { type CommandResult, commandResult } from '../../framework/command-result.ts'
import type { Context } from '../../framework/context.ts'
import type { ListSummary } from '../../framework/many/list-schema.ts'
import { type ListChange, type ListOptions, readingOf, shardOf } from '../../framework/many/options.ts'
import type { RecordView } from '../../output/view.ts'
import { importAnswers } from '../importing/import-answers.ts'
import { joinErrors } from '../importing/import-errors.ts'
import type { ImportRequest } from '../importing/options.ts'
import { describePlan } from '../importing/plan-view.ts'

interface Request extends ListOptions {
  file: string
  timezone: string | undefined
  again: boolean
  repeatResult: boolean
}

/** Creates the users of a file. `mapping` contains the settings for reading answers. `line` is the command line with these settings. */
type ImportUsers = (
  line: string,
  mapping: Reading,
  next: NonNullable<ListChange['next']>,
) => Promise<CommandResult<ListSummary>>

interface UsersAndAnswers {
  users: ListSummary | null
  answers: PrintedSummary | PlanReport
}

const view: RecordView<UsersAndAnswers> = {
  columns: [
    { key: 'users', title: 'Users', value: ({ users }) => users?.done ?? null },
    {
      key: 'answers',
      title: 'Answers',
      value: ({ answers }) => ('accepted' in answers ? answers.accepted : answers.answers),
    },
  ],
}

/** Creates the users of a file, and then saves its answers, with one plan, one confirmation, and one command to resume. */
export async function importWithAnswers(
  ctx: Context,
  request: Request,
  importUsers: ImportUsers,
): Promise<CommandResult<UsersAndAnswers>> {
  if (request.file === '-')
    throw new UsageError('--with-answers reads the file twice; pass a path instead of -')
  let users: CommandResult<ListSummary> | undefined
  const answers = await importAnswers(ctx, await answersOf(ctx, request), async (planned) => {
    const { started, header, report, line } = planned
    if (started) return
    const { withUsers: _, batchSize: _size, timezone: _zone, shard: _shard, ...mapping } = header.settings
    const columns = [...header.keys, 'lookup_key', 'value', 'timezone']
    const step = line === ctx.line ? undefined : 'last'
    users = await importUsers(line, mapping, { columns, summary: countOf(report.answers, 'answer'), step })
    const { error } = users
    if (error && error.code !== 'import_rejected') throw error
  })
  return join(users, answers)
}

async function answersOf(
  ctx: Context,
  { file, timezone, again, repeatResult, ...options }: Request,
): Promise<ImportRequest> {
  const { maxConcurrency, rate, maxWait, maxUsers, skipInvalid, saveMapping } = options
  const shard = await shardOf(ctx, options)
  const settings = { ...(await readingOf(options)), withUsers: true, batchSize: 100, timezone, shard }
  const usual = { onAmbiguous: 'hold', verify: false, verbose: false, pageParameter: 'page' } as const
  const sending = { maxConcurrency, rate, maxWait, maxUsers, results: undefined, ...usual }
  return { file, settings, skipInvalid, again, repeatResult, saveMapping, sending }
}

function join(
  users: CommandResult<ListSummary> | undefined,
  answers: CommandResult<PrintedSummary | PlanReport>,
): CommandResult<UsersAndAnswers> {
  const error = joinErrors(users?.error, answers.error)
  const { value } = answers
  const plan = 'accepted' in value ? [] : describePlan(value)
  const saved = users?.done ? answers.done?.replace('Imported', 'imported') : answers.done
  const done = [users?.done, saved].filter(Boolean)
  return commandResult(
    { users: users?.value ?? null, answers: value },
    {
      view,
      brief: true,
      reported: answers.reported,
      error,
      done: error || done.length === 0 ? undefined : done.join('; '),
      notes: [...(users?.notes ?? []), ...plan, ...(answers.notes ?? [])],
    },
  )
}
