import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { countOf } from '../../base/text/count.ts'
import { quoteWord } from '../../base/text/shell-quote.ts'
import type { Context } from '../../command/context.ts'
import { defineCommand } from '../../command/define-command.ts'
import { toFailure } from '../../command/many/failures.ts'
import { type CheckedList, openUsers } from '../../command/many/open-users.ts'
import { type ListOptions, listOptions } from '../../command/many/options.ts'
import { runList } from '../../command/many/run-list.ts'
import { FileSink } from '../../command/many/sink.ts'
import { type ListSummary, listSummaryView, summarize } from '../../command/many/summary.ts'
import { type Outcome, outcome } from '../../command/outcome.ts'
import { renderCsv } from '../../output/separated.ts'
import type { RecordView } from '../../output/view.ts'
import { type CreatedUser, type CreateOptions, createOnce, existingActions } from './create-once.ts'
import { importColumns, problemsOfRow, readFields } from './import-rows.ts'

interface ImportedUser extends CreatedUser {
  external_user_id: string
}

const columns: RecordView<ImportedUser>['columns'] = [
  { key: 'external_user_id', title: 'External user ID' },
  { key: 'user_id', title: 'User ID' },
  { key: 'status', title: 'Status' },
]

/** Users that a run announces before it sends them, at a time. */
const announceRows = 1_000

export default defineCommand({
  args: [['<file>', 'csv, tsv or jsonl file, or - for standard input']],
  output: async () => (await import('../../command/many/summary-schema.ts')).listSummary,
  view: listSummaryView,
  calls: ['users.create', 'users.get', 'users.update'],
  effect: 'change',
  localEffect: 'change',
  failures: ['import_rejected', 'import_stopped'],
  options: [
    [
      '--existing <action>',
      'users that already exist: skip, update or fail',
      { choices: existingActions, default: 'skip' },
    ],
    ['--out <file>', 'file with the user IDs (default: users.csv beside the input)'],
    ...listOptions,
  ],
  description:
    'Reads external_user_id, birth_date, sex, language and preferred_unit_system. The complete file is checked first. The same command resumes an import that was interrupted.',
  examples: [
    'facescan users import staff.csv',
    'facescan users import staff.csv --existing update --dry-run',
  ],
  async run(ctx, { file, existing, out, ...options }) {
    const list = await openUsers(ctx, file, options, { known: importColumns, required: [] }, problemsOfRow)
    try {
      if (ctx.flags.dryRun) {
        const { baseUrl } = await ctx.session()
        const host = baseUrl === undefined ? 'the built-in sandbox' : new URL(baseUrl).host
        const note = `${countOf(list.users, 'user')} would be created on ${host}; nothing was sent`
        const counts = { users: list.users, done: 0, failed: 0, not_tried: list.users }
        return outcome({ ...counts, file: null, errors_file: null }, { notes: [note] })
      }
      await ctx.approve({ effect: 'change', bulk: true, summary: `create ${countOf(list.users, 'user')}` })
      return await createAll(ctx, { list, options, existing, file, out: out ?? chooseOut(file, list) })
    } finally {
      list.close()
    }
  },
})

interface UsersImport {
  list: CheckedList
  options: ListOptions
  existing: CreateOptions['existing']
  file: string
  out: string
}

async function createAll(
  ctx: Context,
  { list, options, existing, file, out }: UsersImport,
): Promise<Outcome<ListSummary>> {
  const sink = await openSink(ctx, { list, options, existing, file, out })
  const sentBefore = sink.mayBeSent
  const pause = () => ctx.clock.sleep(ctx.flags.timeout / 10, ctx.signal)
  const end = await runList<ImportedUser>(ctx, {
    list,
    options,
    sink,
    announceRows,
    isValid: (item) => problemsOfRow(item).length === 0,
    process: async (quiet, item) => {
      const { id } = item.user
      const mayBeSent = item.row < sentBefore
      const created = await createOnce(await quiet.api(), id, readFields(item), {
        existing,
        mayBeSent,
        pause,
      })
      return { external_user_id: id, ...created }
    },
    emit(item, result) {
      if ('error' in result) return void sink.fail(item, toFailure(item, result.error))
      return sink.add(item, toCsv([result.result], false))
    },
  })
  const files = await sink.end(end.done, '')
  await ctx.concludeImport({
    outcome: end.done ? 'done' : 'unknown',
    detail: `${sink.done} done, ${sink.failed} failed`,
  })
  const resume = `facescan users import ${quoteWord(file)}`
  return summarize({ list, sink, end, files, resume })
}

async function openSink(ctx: Context, { list, options, existing, out }: UsersImport): Promise<FileSink> {
  const { baseUrl = 'sandbox', profile } = await ctx.session()
  const settings = { command: ctx.command, baseUrl, profile, existing }
  return FileSink.open(ctx, { out, errors: options.errors, settings, start: toCsv([], true), list })
}

function toCsv(users: readonly ImportedUser[], header: boolean): string {
  return renderCsv(users, columns as never, { header, excel: false, terminal: false })
}

/** `users.csv` beside the input, unless that is the input or another file. */
function chooseOut(file: string, { input }: CheckedList): string {
  const folder = input.path === undefined ? '.' : dirname(file)
  for (let number = 1; ; number++) {
    const name = number === 1 ? 'users.csv' : `users-${number}.csv`
    const path = join(folder, name)
    if (name !== basename(file) && !existsSync(path)) return path
  }
}
