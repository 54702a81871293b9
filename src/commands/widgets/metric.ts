import { metricNames } from '../../contract/biomarkers.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { argument } from '../../framework/options.ts'
import { nonEmpty } from '../../framework/values.ts'
import { actingAs } from '../reach-user.ts'
import { suggestValue } from '../suggest-value.ts'
import { widgetView } from './view.ts'

export default defineCommand({
  user: 'token',
  output: 'widgets.metric',
  view: widgetView,
  args: { metric: argument('<metric>', 'metric name', nonEmpty, { choices: metricNames }) },
  description: 'Deprecated by the service. Use "metrics" instead.',
  examples: ['facescan widgets metric 4711 sleep_quality'],
  async run(ctx, { metric: parameter, user }) {
    const api = await actingAs(ctx, user)
    return api.widgets.metric({ body: { data: { parameter } } }).catch((error: unknown) => {
      throw suggestValue(error, { kind: 'metric', text: parameter, known: metricNames })
    })
  },
})
