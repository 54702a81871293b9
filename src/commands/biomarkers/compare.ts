import { defineCommand } from '../../command/define-command.ts'
import { flag } from '../../command/options.ts'
import { outcome } from '../../command/outcome.ts'
import { dateTime, positiveInteger } from '../../command/values.ts'
import { compareScans, comparisonSchema, comparisonView } from '../../output/health/comparison.ts'
import { reachUser } from '../reach-user.ts'

export default defineCommand({
  user: 'token',
  output: comparisonSchema,
  calls: ['biomarkers.list'],
  view: comparisonView,
  options: {
    before: flag('--before <time>', 'end of the earlier period', dateTime, {
      required: true,
      prompt: 'End of the earlier period (YYYY-MM-DD)',
    }),
    after: flag('--after <time>', 'start of the later period', dateTime, {
      required: true,
      prompt: 'Start of the later period (YYYY-MM-DD)',
    }),
    count: flag('--count <n>', 'maximum scans per period, closest to the date', positiveInteger, {
      default: '30',
    }),
  },
  description:
    'Compares the average biomarker values before one date with the average values after another date. To compare the periods before and after a single date, pass that date twice.',
  examples: [
    'facescan biomarkers compare 4711 --before 2026-03-01 --after 2026-03-01',
    'facescan biomarkers compare 4711 --before 2026-03-01 --after 2026-04-01 --json',
  ],
  check: ({ before, after }) =>
    before !== undefined && after !== undefined && Date.parse(after) < Date.parse(before)
      ? ['--after must not be earlier than --before']
      : [],
  async run(ctx, { before, after, count, user: given }) {
    const { api, user } = await reachUser(ctx, given)
    const [earlier, later] = await Promise.all([
      api.biomarkers.list({ user, query: { end: before, order: 'desc', count } }),
      api.biomarkers.list({ user, query: { start: after, order: 'asc', count } }),
    ])
    const comparison = compareScans({ until: before, scans: earlier }, { from: after, scans: later })
    const notes = [
      ...(comparison.before.scans === 0 ? [`no scans before ${before}`] : []),
      ...(comparison.after.scans === 0 ? [`no scans after ${after}`] : []),
    ]
    return outcome(comparison, { notes })
  },
})
