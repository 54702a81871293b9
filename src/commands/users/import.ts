import { ServiceError } from '../../base/errors.ts'
import type { Context } from '../../framework/context.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { listSummaryView } from '../../framework/many/conclude.ts'
import { type ChangeStep, listOptions, type Preview, userValueOptions } from '../../framework/many/options.ts'
import { runMany } from '../../framework/many/run-many.ts'
import { argument, flag, type OptionValues } from '../../framework/options.ts'
import { nameUser, type UserId } from '../../framework/user.ts'
import { oneOf } from '../../framework/values.ts'
import type { RecordView } from '../../output/view.ts'
import { type CreateOptions, createOnce, creationWaits, existingActions } from './create-once.ts'
import { fieldOptions, toFields } from './fields.ts'
import { checkSameUser } from './read-user.ts'

type ListedUser = Partial<OptionValues<typeof fieldOptions>> & {
  user: UserId
  existing?: CreateOptions['existing']
  expectedUserId?: string | undefined
}

const createdView: RecordView<Awaited<ReturnType<typeof createOnce>>> = {
  columns: [
    { key: 'user_id', title: 'user_id' },
    { key: 'status', title: 'status' },
  ],
}

/** The command for one row of the file. */
const creation = {
  user: 'external',
  options: fieldOptions,
  effect: 'change',
  view: createdView,
  many: {
    rowFlags: ['birthDate', 'sex', 'language', 'unitSystem'] satisfies (keyof OptionValues<
      typeof fieldOptions
    >)[],
    change: {
      verb: 'import',
      creates: true,
      fileName: 'users.csv',
      each: createListed,
      preview: (options: Readonly<Record<string, unknown>>) =>
        options['existing'] === 'update' ? previewListed : undefined,
    },
  },
} as const

export default defineCommand({
  args: { file: argument('<file>', 'CSV, TSV, or JSONL file (optionally gzipped), or - for standard input') },
  output: async () => (await import('../../framework/many/list-schema.ts')).listSummary,
  view: listSummaryView,
  calls: ['users.create', 'users.get', 'users.update'],
  effect: 'change',
  localEffect: 'change',
  failures: ['import_rejected', 'import_stopped'],
  options: {
    existing: flag('--existing <action>', 'action for existing users', oneOf(existingActions), {
      default: 'skip',
    }),
    out: flag(
      '--out <file>',
      'output file for the user IDs (default: users.csv, named after the input file, in its directory)',
    ),
    ...userValueOptions,
    ...listOptions,
  },
  description:
    'Reads external_user_id, birth_date, sex, language, and preferred_unit_system. The entire file is checked before anything is sent. To resume an interrupted import, run the same command again.',
  examples: [
    'facescan users import staff.csv',
    'facescan users import staff.csv --existing update --dry-run',
  ],
  run: (ctx, { file, ...input }) => runMany(ctx, creation, { ...input, users: file, keep: [] }),
})

/** Creates one user of a list. */
async function createListed(ctx: Context, listed: ListedUser, { announced, announce }: ChangeStep) {
  const { user, existing = 'skip' } = listed
  await announce('')
  const mayBeSent = announced !== undefined
  const api = await ctx.api()
  await checkSameUser(api, user, listed.expectedUserId)
  return createOnce(api, nameUser(user), toFields(listed), { existing, mayBeSent, ...creationWaits(ctx) })
}

/** What `--existing update` would do to a user of the list. */
async function previewListed(ctx: Context, listed: ListedUser): Promise<Preview> {
  const api = await ctx.api()
  try {
    const stored: Readonly<Record<string, unknown>> = await api.users.get({ user: listed.user })
    const differences = Object.entries(toFields(listed)).flatMap(([name, value]) =>
      stored[name] === value ? [] : [`${name} ${stored[name] ?? '(none)'} → ${value}`],
    )
    return {
      status: differences.length === 0 ? 'unchanged' : 'changed',
      differences: [differences.join(', ')].filter(Boolean),
    }
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found')
      return { status: 'created', differences: [] }
    throw error
  }
}
