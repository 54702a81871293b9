import { RefusedError } from '../../base/errors.ts'
import { requireDirectory } from '../../base/paths.ts'
import { count, countOf } from '../../base/text.ts'
import { findImport, removeImport } from '../../bulk/imports.ts'
import { countStates } from '../../bulk/summary.ts'
import { agreeToRemove } from '../../framework/ask.ts'
import { commandResult } from '../../framework/command-result.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { importArgument, offerImports } from './stored-import.ts'

export default defineCommand({
  output: async () => (await import('../../bulk/schemas.ts')).removedImport,
  view: {
    columns: [
      { key: 'id', title: 'Import', whole: true },
      { key: 'removed', title: 'Removed', cell: () => 'yes' },
    ],
  },
  localEffect: 'destroy',
  args: { import: importArgument },
  prompts: { import: { choices: offerImports } },
  description:
    'Removes the record of an import. Saved answers are kept. The record of a stopped import is needed to resume the import. The record of a finished import prevents a second import of the same file.',
  examples: ['facescan imports remove 3f --yes'],
  async run(ctx, { import: text }) {
    const stored = await findImport(requireDirectory(ctx.paths, 'state'), text)
    const { id, status, header, totals, problem } = stored
    if (status === 'running')
      throw new RefusedError(`import ${id} is running`, { hint: 'Stop the import first.' })
    const left = header && totals ? countStates(header, totals) : undefined
    const states = left && `${countOf(left.unsent, 'answer')} unsent and ${count(left.unknown)} unknown`
    const what =
      status === 'finished' ? 'finished' : `not finished: ${states ?? problem ?? 'its record is damaged'}`
    const effect =
      status === 'finished'
        ? 'If the record of an import is removed, the same file can be imported again.'
        : 'Without its record, the import cannot be resumed.'
    await agreeToRemove(ctx, `Import ${id} is ${what}. ${effect} Remove its record?`, {
      message: `import ${id} is ${what}; removing its record needs confirmation`,
      hint: `${effect} To remove the record, add --yes.`,
    })
    await removeImport(stored.folder, { ...ctx, settleMs: ctx.flags.timeout })
    return commandResult({ id, removed: true } as const, { done: `Removed import ${id}`, brief: true })
  },
})
