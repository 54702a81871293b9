import { defineCommand } from '../command/define-command.ts'
import { flattenMetrics, metricColumns, metricsView } from '../output/health/metrics.ts'

export default defineCommand({
  user: 'external',
  many: { columns: metricColumns, row: flattenMetrics },
  output: 'metrics',
  view: metricsView,
  description:
    'For all six scores, including risk and stress, higher is better. A score appears after enough scans.',
  examples: ['facescan metrics 4711', 'facescan metrics 4711 --jq .metrics.sleep_quality.score'],
  run: async (ctx, { user }) => (await ctx.api()).metrics({ user }),
})
