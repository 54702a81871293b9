import type { ListItem } from '../../bulk/lists/read-list.ts'
import { defineCommand } from '../../command/define-command.ts'
import { changeUsers, fileBeside } from '../../command/many/change-users.ts'
import { listSummaryView } from '../../command/many/conclude.ts'
import { FlagColumns } from '../../command/many/flag-columns.ts'
import { noUserId, openUsers } from '../../command/many/open-users.ts'
import { listOptions } from '../../command/many/options.ts'
import { RowFormat } from '../../command/many/row-format.ts'
import { createOnce, existingActions } from './create-once.ts'
import { fieldOptions, toFields } from './fields.ts'

const fieldColumns = new FlagColumns(fieldOptions)

function findProblems(item: ListItem): string[] {
  const problems: string[] = []
  fieldColumns.read(item, problems)
  return item.user.kind === 'user_id' ? [noUserId] : problems
}

export default defineCommand({
  args: [['<file>', 'CSV, TSV, or JSONL file, plain or gzipped, or - for standard input']],
  output: async () => (await import('./schema.ts')).importedUsers,
  view: listSummaryView,
  calls: ['users.create', 'users.get', 'users.update'],
  effect: 'change',
  localEffect: 'change',
  failures: ['import_rejected', 'import_stopped'],
  options: [
    ['--existing <action>', 'action for existing users', { choices: existingActions, default: 'skip' }],
    ['--out <file>', 'file with the user IDs (default: users.csv beside the input)'],
    ...listOptions,
  ],
  description:
    'Reads external_user_id, birth_date, sex, language, and preferred_unit_system. The complete file is checked first. The same command resumes an import that was interrupted.',
  examples: [
    'facescan users import staff.csv',
    'facescan users import staff.csv --existing update --dry-run',
  ],
  async run(ctx, { file, existing, out, ...options }) {
    const columns = { known: fieldColumns.names, required: [] }
    const list = await openUsers(ctx, file, options, columns, findProblems)
    try {
      return await changeUsers(ctx, {
        list,
        options,
        verb: 'import',
        effect: 'change',
        out: out ?? fileBeside(list, file, 'users.csv'),
        settings: existing,
        format: new RowFormat({
          view: undefined,
          many: { columns: ['user_id', 'status'] },
          keep: [],
          layout: { columns: { ...list.table.layout.columns, user_id: -1 } },
          settings: { format: 'csv', header: true, excel: false },
          pen: ctx.pen('stdout'),
        }),
        isValid: (item) => findProblems(item).length === 0,
        process: async (quiet, item, step) => {
          await step.announce('')
          const mayBeSent = step.announced !== undefined
          const pause = () => ctx.clock.sleep(ctx.flags.timeout / 10, ctx.signal)
          const options = { existing, mayBeSent, pause }
          return createOnce(await quiet.api(), item.user.id, toFields(fieldColumns.read(item)), options)
        },
      })
    } finally {
      list.close()
    }
  },
})
