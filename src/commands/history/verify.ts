import { ConfigurationError } from '../../base/errors.ts'
import { countOf } from '../../base/text/count.ts'
import { defineCommand } from '../../command/define-command.ts'
import { outcome } from '../../command/outcome.ts'
import { verifyHistory } from '../../profiles/read-history.ts'

export default defineCommand({
  output: async () => (await import('../../profiles/schemas.ts')).historyCheck,
  columns: [
    { key: 'ok', title: 'Intact', cell: ({ ok }, pen) => (ok ? pen.green('yes') : pen.red('no')) },
    { key: 'lines', title: 'Lines' },
    { key: 'files', title: 'Files' },
    { key: 'first', title: 'First line' },
    { key: 'last', title: 'Last line' },
    {
      key: 'problems',
      title: 'Problems',
      cell: ({ problems }) =>
        problems.map(({ file, line, problem }) => `${file}:${line} ${problem}`).join('\n') || 'none',
    },
  ],
  description:
    'Detects lines in the audit log that were altered, removed, added, reordered, or repeated. Exits with code 13 if it finds any. This command cannot detect that the entire log, including history.head, was rewritten or removed. To detect such a change, keep copies of the log on another machine.',
  examples: ['facescan history verify'],
  async run(ctx) {
    const check = await verifyHistory(ctx.paths)
    if (check.ok) return check
    const problems = countOf(check.problems.length, 'problem')
    const hint = `Before you investigate, make a copy of ${ctx.paths.state}.`
    return outcome(check, {
      error: new ConfigurationError(`the audit log was altered: ${problems}`, { hint }),
    })
  },
})
