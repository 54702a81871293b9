import { alreadyPrinted, type CommandResult } from '../../framework/command-result.ts'
import type { Context } from '../../framework/context.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { listSummaryView } from '../../framework/many/conclude.ts'
import type { ListSummary } from '../../framework/many/list-schema.ts'
import { type ChangeStep, listOptions, type Preview } from '../../framework/many/options.ts'
import { runMany } from '../../framework/many/run-many.ts'
import { userValueOptions } from '../../framework/many/value-options.ts'
import { argument, flag, toggle } from '../../framework/options.ts'
import { oneOf, outputFile } from '../../framework/values.ts'
import type { RecordView } from '../../output/view.ts'
import { readingOptions } from '../importing/options.ts'
import { type CreationReplies, createOnce, existingActions, type ListedUser } from './create-once.ts'
import { fieldNames, fieldOptions, toFields } from './fields.ts'
import { importWithAnswers } from './import-with-answers.ts'
import { unlessMissing } from './read-user.ts'

const createdView: RecordView<Awaited<ReturnType<typeof createOnce>>> = {
  columns: [
    { key: 'user_id', title: 'user_id' },
    { key: 'status', title: 'status' },
  ],
}

/** The command for one row of the file. `replies` is shared by all rows of a run. */
const creation = (replies: CreationReplies) =>
  ({
    user: 'external',
    options: fieldOptions,
    effect: 'change',
    view: createdView,
    many: {
      rowFlags: fieldNames,
      change: {
        verb: 'import',
        creates: true,
        fileName: 'users.csv',
        each: (ctx: Context, listed: ListedUser, step: ChangeStep) =>
          createOnce(ctx, listed, { step, replies }),
        preview: (options: Readonly<Record<string, unknown>>) =>
          options['existing'] === 'update' ? previewListed : undefined,
      },
    },
  }) as const

export default defineCommand({
  args: { file: argument('<file>', 'CSV, TSV, JSONL, or .xlsx file, or - for standard input') },
  output: async () => (await import('../../framework/many/list-schema.ts')).usersImport(),
  view: listSummaryView,
  calls: [
    'users.create',
    'users.get',
    'users.update',
    'questions.all',
    'questions.answered',
    'questions.answerMany',
  ],
  effect: 'change',
  localEffect: 'change',
  failures: ['import_rejected', 'import_stopped'],
  options: {
    existing: flag('--existing <action>', 'for existing users', oneOf(existingActions), {
      default: 'skip',
    }),
    out: flag('--out <file>', 'output file for user IDs (default: beside the input file)', outputFile),
    withAnswers: toggle('--with-answers', 'also save the answers in the file'),
    timezone: readingOptions.timezone,
    again: toggle('--again', 'with --with-answers: save imported answers again'),
    repeatResult: toggle('--repeat-result', 'with --with-answers: report a finished import again'),
    ...userValueOptions,
    ...listOptions,
  },
  check: ({ withAnswers, timezone, again, repeatResult }) =>
    withAnswers
      ? []
      : [
          ...(timezone === undefined ? [] : ['--timezone needs --with-answers']),
          ...(again ? ['--again needs --with-answers'] : []),
          ...(repeatResult ? ['--repeat-result needs --with-answers'] : []),
        ],
  description:
    'Reads external_user_id, birth_date, sex, language, and preferred_unit_system. The entire file is checked first. To resume, run the same command again.',
  examples: [
    'facescan users import staff.csv',
    'facescan users import staff.csv --existing update --dry-run',
    'facescan users import survey.csv --with-answers --timezone Europe/Amsterdam',
  ],
  async run(ctx, { file, withAnswers, timezone, again, repeatResult, ...input }) {
    const list = { ...input, users: file, keep: [] }
    const command = creation({})
    if (!withAnswers) return createUsers(ctx, command, list)
    const request = { ...input, file, timezone, again, repeatResult }
    return importWithAnswers(ctx, request, (line, mapping, next) => {
      const change = { ...command.many.change, next }
      const first = { ...command, many: { ...command.many, change } }
      return createUsers({ ...ctx, line }, first, { ...list, mapping })
    })
  },
})

/** Creates the users. A command that changes the users of a list always has a summary. */
async function createUsers(...given: Parameters<typeof runMany>): Promise<CommandResult<ListSummary>> {
  const created = await runMany(...given)
  if (created !== alreadyPrinted) return created
  throw new Error('the list has no summary')
}

/** Returns the changes that `--existing update` would make to a user of the list. */
async function previewListed(ctx: Context, listed: ListedUser): Promise<Preview> {
  const api = await ctx.api()
  const stored: Readonly<Record<string, unknown>> | undefined = await unlessMissing(
    api.users.get({ user: listed.user }),
  )
  if (stored === undefined) return { status: 'created', differences: [] }
  const differences = Object.entries(toFields(listed)).flatMap(([name, value]) =>
    stored[name] === value ? [] : [`${name} ${stored[name] ?? '(none)'} → ${value}`],
  )
  return differences.length === 0
    ? { status: 'unchanged', differences }
    : { status: 'changed', differences: [differences.join(', ')] }
}
