import { ConfigurationError } from '../../base/errors.ts'
import { countOf } from '../../base/text/count.ts'
import { defineCommand } from '../../command/define-command.ts'
import { outcome } from '../../command/outcome.ts'
import type { RecordView } from '../../output/view.ts'
import { type HistoryCheck, verifyHistory } from '../../profiles/history-check.ts'

const view: RecordView<HistoryCheck> = {
  kind: 'record',
  columns: [
    { key: 'ok', title: 'Whole', cell: ({ ok }, pen) => (ok ? pen.green('yes') : pen.red('no')) },
    { key: 'lines', title: 'Lines' },
    { key: 'files', title: 'Files' },
    { key: 'first', title: 'First' },
    { key: 'last', title: 'Last' },
    {
      key: 'problems',
      title: 'Problems',
      cell: ({ problems }) =>
        problems.map(({ file, line, problem }) => `${file}:${line} ${problem}`).join('\n') || 'none',
    },
  ],
}

export default defineCommand({
  output: async () => (await import('./schema.ts')).historyCheck,
  view,
  description:
    'Recomputes the chain of hashes over the audit log and names every line that was altered, removed or put in. Exits 13 when there is one.',
  examples: ['facescan history verify'],
  async run(ctx) {
    const check = await verifyHistory(ctx.paths)
    if (check.ok) return check
    const problems = countOf(check.problems.length, 'problem')
    const hint = `Keep ${ctx.paths.state} as it is and find out who changed it.`
    return outcome(check, {
      error: new ConfigurationError(`the audit log is not whole: ${problems}`, { hint }),
    })
  },
})
