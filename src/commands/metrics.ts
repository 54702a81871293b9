import { defineCommand } from '../command/define-command.ts'
import { metricsView } from '../output/health/metrics.ts'
import { externalId } from './who.ts'

export default defineCommand({
  user: 'external',
  description:
    'Higher is better for all six, risk and stress included. A metric appears once enough scans exist.',
  examples: [
    'facescan metrics --external-user-id 4711',
    'facescan metrics --external-user-id 4711 --jq .metrics.sleep_quality.score',
  ],
  async run(ctx, _args, options) {
    const api = await ctx.api()
    await ctx.print(await api.metrics({ user: externalId(options) }), metricsView)
  },
})
