import { RefusedError } from '../../base/errors.ts'
import { requireDirectory } from '../../base/system/paths.ts'
import { findImport } from '../../bulk/imports.ts'
import { defineCommand } from '../../command/define-command.ts'
import { importAnswers } from '../importing/import-answers.ts'
import { sendingOptions } from '../importing/options.ts'
import { summaryView } from '../importing/summary-view.ts'

export default defineCommand({
  output: async () => (await import('./schema.ts')).answersImport,
  calls: ['questions.all', 'questions.answered', 'questions.answerMany'],
  effect: 'change',
  localEffect: 'change',
  failures: ['import_rejected', 'import_stopped'],
  view: summaryView,
  args: [
    ['<import>', 'its id, or the beginning of it'],
    ['[file]', 'the input, where it has moved; - for standard input'],
  ],
  options: sendingOptions,
  description: 'Goes on with an import that stopped, with the settings it was started with.',
  examples: ['facescan imports resume 3f'],
  async run(ctx, { import: text, file, ...sending }) {
    const { id, status, header, problem } = await findImport(requireDirectory(ctx.paths, 'state'), text)
    if (header === undefined) throw new RefusedError(problem ?? `import ${id} cannot be read`)
    if (status === 'finished')
      throw new RefusedError(`import ${id} is finished: there is nothing to go on with`)
    const { profile } = await ctx.session()
    if (profile !== header.profile) {
      const [stored, given] = [header.profile, profile].map((name) => name ?? 'a key without a profile')
      throw new RefusedError(`import ${id} was started with ${stored}, not with ${given}`, {
        hint:
          header.profile === null ? 'Give the same key in the same way.' : `Give --profile ${header.profile}`,
      })
    }
    const { source, settings, skipInvalid } = header
    const request = { file: file ?? source, settings, skipInvalid, again: false, resumed: header, sending }
    return importAnswers(ctx, request)
  },
})
