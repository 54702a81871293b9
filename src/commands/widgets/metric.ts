import { defineCommand } from '../../command/define-command.ts'
import { nonEmpty } from '../../command/values.ts'
import { metricNames } from '../../contract/values.ts'
import { actingAs } from '../who.ts'
import { widgetView } from './view.ts'

export default defineCommand({
  user: 'token',
  args: [['<metric>', 'metric name', nonEmpty, metricNames]],
  description: 'Deprecated by the service: use "metrics".',
  examples: ['facescan widgets metric sleep_quality --external-user-id 4711'],
  async run(ctx, [parameter], options) {
    const api = await actingAs(await ctx.api(), options)
    await ctx.print(await api.widgets.metric({ body: { data: { parameter } } }), widgetView)
  },
})
