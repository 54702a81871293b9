import { UsageError } from '../../base/errors.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { readingOf, shardOf, shardOptions } from '../../framework/many/options.ts'
import { argument, toggle } from '../../framework/options.ts'
import { importAnswers } from '../importing/import-answers.ts'
import { readingOptions, sendingOptions } from '../importing/options.ts'
import { summaryView } from '../importing/summary-view.ts'

export default defineCommand({
  output: async () => (await import('../../bulk/schemas.ts')).answersImport,
  calls: ['questions.all', 'questions.answered', 'questions.answer', 'questions.answerMany', 'users.get'],
  effect: 'change',
  connections: ({ maxConcurrency }) => maxConcurrency,
  localEffect: 'change',
  failures: ['import_rejected', 'import_stopped'],
  view: summaryView,
  args: { file: argument('<file>', 'CSV, TSV, JSONL, or .xlsx file, or - for standard input') },
  options: {
    ...readingOptions,
    ...sendingOptions,
    ...shardOptions,
    again: toggle('--again', 'import the file even if it was already imported'),
    resendUnknown: toggle('--resend-unknown', 'send rows with an unknown outcome again'),
    repeatResult: toggle('--repeat-result', 'report the result of a finished import again'),
  },
  description:
    'The entire file is checked first, and one invalid row stops the import before an answer is sent. To resume a stopped import, run the same command again. For result files, verification, and shards, see `facescan help import`.',
  examples: [
    'facescan answers import answers.csv --timezone Europe/Amsterdam --dry-run',
    'facescan answers import export.csv --map "Patient no=external_user_id" --skip-invalid --timezone UTC',
  ],
  async run(ctx, { file, ...options }) {
    const { batchSize, timezone, skipInvalid, again, repeatResult, resendUnknown, saveMapping, ...sending } =
      options
    if (again && repeatResult) throw new UsageError('--again and --repeat-result cannot be used together')
    const shard = await shardOf(ctx, options)
    const settings = { ...(await readingOf(options)), batchSize, timezone, shard }
    const choice = { again, repeatResult, resendUnknown, skipInvalid }
    return importAnswers(ctx, { file, settings, ...choice, saveMapping, sending })
  },
})
