import { defineCommand } from '../command/define-command.ts'
import { metricsView } from '../output/health/metrics.ts'

export default defineCommand({
  user: 'external',
  output: 'metrics',
  view: metricsView,
  description:
    'Higher is better for all six, risk and stress included. A metric appears once enough scans exist.',
  examples: ['facescan metrics 4711', 'facescan metrics 4711 --jq .metrics.sleep_quality.score'],
  run: async (ctx, { user }) => (await ctx.api()).metrics({ user }),
})
