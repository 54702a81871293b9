import { resolve } from 'node:path'
import { RefusedError } from '../../base/errors.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { toggle } from '../../framework/options.ts'
import { importAnswers } from '../importing/import-answers.ts'
import { sendingOptions } from '../importing/options.ts'
import { explainImportStop } from '../importing/resume-hint.ts'
import { summaryView } from '../importing/summary-view.ts'
import { fileArgument, findReadable, importArgument, offerImports } from './stored-import.ts'

export default defineCommand({
  output: async () => (await import('../../bulk/schemas.ts')).answersImport,
  calls: ['questions.all', 'questions.answered', 'questions.answer', 'questions.answerMany', 'users.get'],
  effect: 'change',
  connections: ({ maxConcurrency }) => maxConcurrency,
  localEffect: 'change',
  failures: ['import_rejected', 'import_stopped'],
  view: summaryView,
  args: { import: importArgument, file: fileArgument },
  prompts: {
    import: { choices: (ctx) => offerImports(ctx, 'stopped') },
  },
  options: {
    ...sendingOptions,
    keyReplaced: toggle('--key-replaced', 'confirm that the new key accesses the same users'),
  },
  description: 'Resumes a stopped import with its original settings.',
  examples: ['facescan imports resume 3f'],
  async run(ctx, { import: text, file, keyReplaced, ...options }) {
    const { id, status, header, isUnreported } = await findReadable(ctx, text, true)
    if (status === 'finished' && !isUnreported)
      throw new RefusedError(`import ${id} is finished; there is nothing to resume`)
    const { source, settings, skipInvalid } = header
    // `imports merge` expects the results of all shards in one directory, so a resumed shard keeps its directory by default.
    const sending = { ...options, results: options.results ?? (settings.shard && header.results) }
    const request = {
      file: file ?? source,
      settings,
      skipInvalid,
      again: false,
      resumed: header,
      keyReplaced,
      sending,
    }
    return importAnswers(ctx, request).catch((error: unknown) => {
      // The import stopped before its first request, so its error has no hint yet.
      if (error !== ctx.signal.reason) throw error
      const source = request.file === '-' ? '-' : resolve(request.file)
      throw explainImportStop(ctx, error, `import ${id} is not finished`, { sending, header, source })
    })
  },
})
