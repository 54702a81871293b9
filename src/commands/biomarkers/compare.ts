import { dayMs } from '../../base/clock.ts'
import { countOf } from '../../base/text.ts'
import { commandResult } from '../../framework/command-result.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { flag } from '../../framework/options.ts'
import { dateTime } from '../../framework/times.ts'
import { atMost, positiveInteger } from '../../framework/values.ts'
import { compareScans, comparisonSchema, comparisonView } from '../../output/health/comparison.ts'
import { isForPeople } from '../../output/settings.ts'
import type { NextSteps } from '../../output/view.ts'
import { reachUser } from '../reach-user.ts'

/** Default length of the periods in days. */
const usualDays = 14

/** Maximum number of days: about a hundred years. */
const mostDays = 36_500

/** Default maximum number of scans per period. */
const usualCount = 30

export default defineCommand({
  user: 'token',
  output: comparisonSchema,
  calls: ['biomarkers.list'],
  view: comparisonView,
  options: {
    days: flag(
      '--days <n>',
      'days per period, up to now',
      (text) => atMost(mostDays)(text.replace(/d$/, '')),
      {
        usual: String(usualDays),
      },
    ),
    before: flag('--before <time>', 'end of the earlier period', dateTime, { conflicts: 'days' }),
    after: flag('--after <time>', 'start of the later period', dateTime, { conflicts: 'days' }),
    count: flag('--count <n>', 'maximum scans per period', positiveInteger, {
      usual: String(usualCount),
    }),
  },
  description:
    'Compares the average biomarker values of the last 14 days with the averages of the 14 days before. With --before and --after, compares the last scans before a date with the first scans after the same or another date.',
  examples: [
    'facescan biomarkers compare 4711 --days 14',
    'facescan biomarkers compare 4711 --before 2026-03-01 --after 2026-04-01 --json',
  ],
  check({ days, before, after }) {
    if (days === undefined && (before === undefined) !== (after === undefined))
      return ['--before and --after must be used together']
    const isReversed = before !== undefined && after !== undefined && Date.parse(after) < Date.parse(before)
    return isReversed ? ['--after must not be earlier than --before'] : []
  },
  async run(ctx, { days: givenDays, before: until, after: from, count, user: given }) {
    const { api, user } = await reachUser(ctx, given)
    const days = givenDays ?? usualDays
    const daysAgo = (number: number) => new Date(ctx.clock.now() - number * dayMs).toISOString()
    const [before, after] = [until ?? daysAgo(days), from ?? daysAgo(days)]
    const start = until === undefined ? daysAgo(2 * days) : undefined
    // One additional scan is requested. If it exists, a note states that more scans are available.
    const most = count ?? usualCount + 1
    const [earlier, later] = await Promise.all([
      api.biomarkers.list({ user, query: { start, end: before, order: 'desc', count: most } }),
      api.biomarkers.list({ user, query: { start: after, order: 'asc', count: most } }),
    ])
    const isCut = count === undefined && Math.max(earlier.length, later.length) > usualCount
    const nearest = (scans: typeof earlier) => scans.slice(0, count ?? usualCount)
    const comparison = compareScans(
      { until: before, scans: nearest(earlier) },
      { from: after, scans: nearest(later) },
    )
    const period = countOf(days, 'day')
    // `dateTime` adds T00:00:00 to a date, so this suffix is not shown. A time that contains a time zone is shown unchanged.
    const shown = (time: string) => time.replace(/T00:00:00$/, '')
    const reasons = [
      from ? `after ${shown(from)}` : `in the last ${period}`,
      until ? `before ${shown(until)}` : `in the ${period} before`,
    ] as const
    if (isForPeople(ctx.settings) && comparison.before.scans + comparison.after.scans === 0)
      return commandResult(comparison, { view: emptyView(reasons) })
    const origin = givenDays === undefined && until === undefined ? ' (default of --days)' : ''
    const scansIn = ({ scans }: { scans: number }) => (scans === 0 ? 'no scans' : countOf(scans, 'scan'))
    const compared = `${scansIn(comparison.after)} ${reasons[0]} with ${scansIn(comparison.before)} ${reasons[1]}`
    const notes = [
      `compared ${compared}${origin}`,
      ...(isCut
        ? [
            `at most ${usualCount} scans per period are compared (closest to the date first); for more, use --count`,
          ]
        : []),
    ]
    return commandResult(comparison, { notes })
  },
})

/** The view if no period contains a scan: a note with the next step instead of an empty table. */
function emptyView(periods: readonly string[]): typeof comparisonView {
  return {
    ...comparisonView,
    rows: () => [],
    empty: ({ command }: NextSteps) =>
      `no face scans ${periods.join(' or ')}; show the newest scans: ${command('biomarkers list')}`,
  }
}
