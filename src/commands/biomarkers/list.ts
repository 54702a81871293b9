import { defineCommand } from '../../command/define-command.ts'
import { checkLimit, cutList, limitOf, limitOptions } from '../../command/limit.ts'
import { outcome } from '../../command/outcome.ts'
import { dateTime, oneOf } from '../../command/values.ts'
import { type BiomarkerName, biomarkerNames, orders } from '../../contract/values.ts'
import { scansView, unitsSource } from '../../output/health/scans.ts'
import { biomarkerChartView } from '../../output/health/trends.ts'
import { reachUser } from '../reach-user.ts'
import { readScans } from './read-scans.ts'

/** Empty if the flag has no value: a chart of each biomarker. */
function chartName(text: string): BiomarkerName | '' {
  return text === '' ? '' : oneOf(biomarkerNames)(text)
}

/** The default of the service (spec 8). */
const usualLimit = 10

export default defineCommand({
  user: 'token',
  many: { excludes: ['chart'] },
  output: 'biomarkers.list',
  view: scansView,
  options: [
    ['--start <time>', 'only scans after this time', { parse: dateTime }],
    ['--end <time>', 'only scans before this time', { parse: dateTime }],
    ['--order <order>', 'order by time (default: desc in tables, otherwise asc)', { choices: orders }],
    [
      '--chart [biomarker]',
      'draw a line chart of one biomarker or all',
      { parse: chartName, choices: biomarkerNames },
    ],
    ...limitOptions('scans', usualLimit),
  ],
  description: unitsSource,
  examples: [
    'facescan biomarkers list 4711',
    'facescan biomarkers list 4711 --start 2026-03-01 --limit 30 -o csv',
    'facescan biomarkers list 4711 --all --order asc',
  ],
  check: ({ start, end, ...options }) => [
    ...(start !== undefined && end !== undefined && Date.parse(start) >= Date.parse(end)
      ? ['--start must be before --end']
      : []),
    ...checkLimit(options),
  ],
  async run(ctx, { start, end, order: chosen, chart, user: given, ...options }) {
    const { api, user } = await reachUser(await ctx.api(), given)
    const limit = limitOf(options, usualLimit)
    // Scripts depend on the order of the service; people look for the newest scan.
    const order = chosen ?? (ctx.settings.format === 'table' ? 'desc' : 'asc')
    // One scan more than requested shows whether the list is complete.
    const scans = await readScans(api, { user, query: { start, end, order } }, limit + 1)
    const { value, ending } = cutList(scans, limit, [order === 'desc' ? 'newest' : 'oldest', 'scan'])
    const view = chart === undefined ? scansView : biomarkerChartView(chart || undefined)
    return outcome(value, { view, ...ending })
  },
})
