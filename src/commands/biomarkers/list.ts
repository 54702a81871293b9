import { defineCommand } from '../../command/define-command.ts'
import { outcome } from '../../command/outcome.ts'
import { dateTime, oneOf, positiveInteger } from '../../command/values.ts'
import { type BiomarkerName, biomarkerNames, orders } from '../../contract/values.ts'
import { biomarkerChartView } from '../../output/health/biomarker-chart.ts'
import { scansView } from '../../output/health/biomarkers.ts'
import { reachUser } from '../reach-user.ts'

/** Empty where the flag is given without a name: a chart of each. */
function chartName(text: string): BiomarkerName | '' {
  return text === '' ? '' : oneOf(biomarkerNames)(text)
}

/** The service's own (specification, section 8), from its oldest scan on. */
const usualCount = 10

export default defineCommand({
  user: 'token',
  output: 'biomarkers.list',
  view: scansView,
  options: [
    ['--start <time>', 'only scans after this time', { parse: dateTime }],
    ['--end <time>', 'only scans before this time', { parse: dateTime }],
    ['--order <order>', 'oldest (asc) or newest (desc) first', { choices: orders, default: 'asc' }],
    ['--chart [biomarker]', 'draw a line chart of one biomarker or all', { parse: chartName }],
    ['--count <n>', 'maximum scans', { parse: positiveInteger, default: usualCount }],
  ],
  examples: [
    'facescan biomarkers list 4711',
    'facescan biomarkers list 4711 --start 2026-03-01 --order desc --count 30 -o csv',
  ],
  check: ({ start, end }) =>
    start !== undefined && end !== undefined && Date.parse(start) >= Date.parse(end)
      ? ['--start must be before --end']
      : [],
  async run(ctx, { start, end, order, count, chart, user: given }) {
    const { api, user } = await reachUser(await ctx.api(), given)
    const records = await api.biomarkers.list({ user, query: { start, end, order, count } })
    const cutOff = order === 'asc' && records.length === count
    const notes =
      cutOff && ctx.format === 'table'
        ? [`showing the first ${count} scans; newer scans may exist (use --order desc for the newest first)`]
        : []
    const view = chart === undefined ? scansView : biomarkerChartView(chart || undefined)
    return outcome(records, { view, notes })
  },
})
