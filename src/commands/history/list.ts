import { defineCommand } from '../../command/define-command.ts'
import { positiveInteger } from '../../command/values.ts'
import type { ListView } from '../../output/view.ts'
import type { HistoryLine } from '../../profiles/history.ts'
import { readHistory } from '../../profiles/history-check.ts'

const view: ListView<readonly HistoryLine[], Readonly<HistoryLine>> = {
  kind: 'list',
  rows: (lines) => lines,
  columns: [
    { key: 'sequence', title: '#', align: 'right' },
    { key: 'time', title: 'When', time: true, priority: 5 },
    { key: 'profile', title: 'Profile', whole: true, priority: 4 },
    { key: 'fingerprint', title: 'Key', only: 'machines' },
    { key: 'command', title: 'Command', whole: true, priority: 6 },
    { key: 'method', title: 'Method' },
    { key: 'path', title: 'Path' },
    {
      key: 'status',
      title: 'Status',
      priority: 3,
      cell: ({ status }) => (status === null ? 'no answer' : String(status)),
    },
    { key: 'request_id', title: 'Request id', whole: true, priority: 2 },
    { key: 'reason', title: 'Reason', priority: 1 },
  ],
  empty: 'no change has been sent from this machine; those to the sandbox are not logged',
}

export default defineCommand({
  output: async () => (await import('./schema.ts')).changes,
  view,
  options: [['--count <n>', 'how many of the latest changes', { parse: positiveInteger, default: 50 }]],
  description: 'The changes sent from this machine, latest first. The sandbox is not logged.',
  examples: ['facescan history list', 'facescan history list --count 500 -o csv'],
  async run(ctx, { count }) {
    const latest: HistoryLine[] = []
    for await (const { entry } of readHistory(ctx.paths)) {
      if (entry) latest.push(entry)
      if (latest.length > count) latest.shift()
    }
    return latest.toReversed()
  },
})
