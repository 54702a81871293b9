import { RefusedError } from '../../base/errors.ts'
import { commandResult } from '../../framework/command-result.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { refuseChanged } from '../importing/continue-import.ts'
import { sendingOptions } from '../importing/options.ts'
import { planImport } from '../importing/plan-import.ts'
import { counted, fileColumn } from '../importing/summary-view.ts'
import { verifyImport } from '../importing/verify-import.ts'
import { fileArgument, findReadable, importArgument, offerImports } from './stored-import.ts'

const { results, maxConcurrency, rate, maxWait, pageParameter } = sendingOptions

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
      fileColumn('unsaved_file', 'Unsaved file'),
    ],
  },
  args: { import: importArgument, file: fileArgument },
  prompts: { import: { choices: offerImports } },
  options: { results, maxConcurrency, rate, maxWait, pageParameter },
  description: [
    'Reads the answers of the users in the file. The newest answer to a question is compared with the last row for the question.',
    'An answer is saved, missing, different, changed since the import (a newer answer replaced it), or not verified (the list of',
    'the user’s answers is incomplete). Rows that the service rejected are counted, but not compared. Missing and different answers are written to a file that can be imported. The exit code is 10',
    'if an answer is missing, different, or not verified.',
  ].join('\n'),
  examples: ['facescan imports verify 3f'],
  async run(ctx, { import: text, file, ...options }) {
    const stored = await findReadable(ctx, text)
    const { id, status, header } = stored
    if (status === 'running')
      throw new RefusedError(`import ${id} is running`, { hint: 'Wait until the import is finished.' })
    const { source, settings } = header
    const sending = { ...options, results: options.results ?? header.results, verify: true }
    const given = { file: file ?? source, settings, skipInvalid: true, again: false, resumed: header }
    const request = { ...given, sending }
    const planned = await planImport(ctx, request, 'read')
    try {
      refuseChanged(planned, request)
      const { report, done, error } = await verifyImport(ctx, planned, stored, options)
      return commandResult({ import: id, ...report }, { brief: true, done, error })
    } finally {
      planned.close()
    }
  },
})
