import { defineCommand } from '../../command/define-command.ts'
import { outcome } from '../../command/outcome.ts'
import { dateTime, oneOf, positiveInteger } from '../../command/values.ts'
import { type BiomarkerName, biomarkerNames, orders } from '../../contract/values.ts'
import { biomarkerChartView } from '../../output/health/biomarker-chart.ts'
import { scansView } from '../../output/health/biomarkers.ts'
import { reachUser } from '../reach-user.ts'
import { unitsSource } from './view.ts'

/** Empty if the flag has no value: a chart of each biomarker. */
function chartName(text: string): BiomarkerName | '' {
  return text === '' ? '' : oneOf(biomarkerNames)(text)
}

/** The default of the service (spec 8). */
const defaultLimit = 10

/** The service returns at most this many scans at once (spec 8). */
const largestPage = 1000

export default defineCommand({
  user: 'token',
  many: { excludes: ['chart'] },
  output: 'biomarkers.list',
  view: scansView,
  options: [
    ['--start <time>', 'only scans after this time', { parse: dateTime }],
    ['--end <time>', 'only scans before this time', { parse: dateTime }],
    ['--order <order>', 'order by time (default: desc in tables, otherwise asc)', { choices: orders }],
    ['--chart [biomarker]', 'draw a line chart of one biomarker or all', { parse: chartName }],
    ['--limit <n>', `maximum number of scans (default ${defaultLimit})`, { parse: positiveInteger }],
    ['--count <n>', 'same as --limit', { parse: positiveInteger }],
    ['--all', `every scan, at most ${largestPage}`],
  ],
  description: unitsSource,
  examples: [
    'facescan biomarkers list 4711',
    'facescan biomarkers list 4711 --start 2026-03-01 --limit 30 -o csv',
    'facescan biomarkers list 4711 --all --order asc',
  ],
  check: ({ start, end, limit, count, all }) => [
    ...(start !== undefined && end !== undefined && Date.parse(start) >= Date.parse(end)
      ? ['--start must be before --end']
      : []),
    ...([limit, count, all || undefined].filter((value) => value !== undefined).length > 1
      ? ['--limit, --count and --all cannot be used together']
      : []),
  ],
  async run(ctx, { start, end, order, chart, user: given, ...options }) {
    const { api, user } = await reachUser(await ctx.api(), given)
    const limit = options.all ? largestPage : (options.limit ?? options.count ?? defaultLimit)
    // Scripts depend on the order of the service; people look for the newest scan.
    const shownOrder = order ?? (ctx.format === 'table' ? 'desc' : 'asc')
    const query = { start, end, order: shownOrder, count: limit }
    const records = await api.biomarkers.list({ user, query })
    const which = shownOrder === 'desc' ? 'newest' : 'oldest'
    const more = limit === largestPage ? 'use --start and --end' : 'use --limit or --all'
    const notes =
      records.length >= limit ? [`showing the ${which} ${limit} scans; more may exist (${more})`] : []
    const view = chart === undefined ? scansView : biomarkerChartView(chart || undefined)
    return outcome(records, { view, notes })
  },
})
