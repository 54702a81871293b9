import { defineCommand } from '../framework/define-command.ts'
import { metricsOfUserView, metricsView } from '../output/health/metrics.ts'

export default defineCommand({
  user: 'external',
  many: { view: metricsOfUserView },
  output: 'metrics',
  view: metricsView,
  description:
    'A score is available after enough scans. The service does not define whether a higher score is better. In the sandbox, a higher score is better, also for risk and stress.',
  examples: ['facescan metrics 4711', 'facescan metrics 4711 --jq .metrics.sleep_quality.score'],
  run: async (ctx, { user }) => (await ctx.api()).metrics({ user }),
})
