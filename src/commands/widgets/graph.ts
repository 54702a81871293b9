import { biomarkerNames, metricNames } from '../../contract/biomarkers.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { argument, flag } from '../../framework/options.ts'
import { isoDate } from '../../framework/times.ts'
import { nonEmpty } from '../../framework/values.ts'
import { actingAs } from '../reach-user.ts'
import { suggestValue } from '../suggest-value.ts'

const parameters = [...biomarkerNames, ...metricNames]

export default defineCommand({
  user: 'token',
  output: 'widgets.graph',
  view: {
    rows: ({ data }) => data,
    columns: [
      { key: 'timestamp', title: 'Time', time: true },
      { key: 'label', title: 'Label' },
      { key: 'value', title: 'Value', align: 'right' },
      { key: 'hint', title: 'Hint' },
    ],
    empty: 'no values in this period',
  },
  args: { parameter: argument('<parameter>', 'metric or biomarker name', nonEmpty, { choices: parameters }) },
  options: {
    title: flag('--title <text>', 'title of the graph'),
    start: flag('--start <date>', 'first day (default: 8 days ago)', isoDate),
    stop: flag('--stop <date>', 'last day (default: today)', isoDate),
  },
  description: 'Deprecated by the service. Use "biomarkers list" instead.',
  examples: ['facescan widgets graph 4711 heart_rate --start 2026-03-01'],
  check: ({ start, stop }) => (start && stop && start > stop ? ['--start must not be after --stop'] : []),
  async run(ctx, { user, parameter, title, start, stop }) {
    const data = { parameter, title, start, stop }
    const api = await actingAs(ctx, user)
    return api.widgets.graph({ body: { data } }).catch((error: unknown) => {
      throw suggestValue(error, { kind: 'metric or biomarker', text: parameter, known: parameters })
    })
  },
})
