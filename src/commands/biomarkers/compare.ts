import { defineCommand } from '../../command/define-command.ts'
import { dateTime, positiveInteger } from '../../command/values.ts'
import { type Comparison, compareScans, comparisonView } from '../../output/health/comparison.ts'
import { reachUser } from '../who.ts'

export default defineCommand({
  user: 'token',
  options: [
    ['--before <time>', 'one side: the scans before this time', { required: true, parse: dateTime }],
    ['--after <time>', 'the other side: the scans after this time', { required: true, parse: dateTime }],
    [
      '--count <n>',
      'scans at most on each side, those nearest to the time',
      { parse: positiveInteger, default: 30 },
    ],
  ],
  description: 'Compares the averages of two spans. Both times may be the same: what changed on that day?',
  examples: [
    'facescan biomarkers compare --external-user-id 4711 --before 2026-03-01 --after 2026-03-01',
    'facescan biomarkers compare --external-user-id 4711 --before 2026-03-01 --after 2026-04-01 --json',
  ],
  check: ({ before, after }) =>
    before !== undefined && after !== undefined && Date.parse(after) < Date.parse(before)
      ? ['--after is earlier than --before: a scan would count on both sides']
      : [],
  async run(ctx, _args, { before, after, count, ...who }) {
    const { api, user } = await reachUser(await ctx.api(), who)
    const [earlier, later] = await Promise.all([
      api.biomarkers.list({ user, query: { end: before, order: 'desc', count } }),
      api.biomarkers.list({ user, query: { start: after, order: 'asc', count } }),
    ])
    const comparison: Comparison = compareScans(
      { until: before, scans: earlier },
      { from: after, scans: later },
    )
    await ctx.print(comparison, comparisonView)
    for (const [side, { scans }] of [
      ['before', comparison.before],
      ['after', comparison.after],
    ] as const) {
      if (scans === 0) ctx.note(`there are no scans ${side} ${side === 'before' ? before : after}`)
    }
  },
})
