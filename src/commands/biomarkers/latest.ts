import { defineCommand } from '../../command.ts'
import { biomarkersView } from '../../output/health/biomarkers.ts'
import { positiveInteger } from '../../values.ts'
import { reachUser } from '../who.ts'

export default defineCommand({
  user: 'token',
  options: [['--count <n>', 'the last n scans', { parse: positiveInteger, default: 1 }]],
  examples: [
    'facescan biomarkers latest --external-user-id 4711',
    'facescan biomarkers latest --external-user-id 4711 --jq ".[0].heart_rate"',
  ],
  async run(ctx, _args, { count, ...who }) {
    const { api, user } = await reachUser(await ctx.api(), who)
    await ctx.print(await api.biomarkers.latest({ user, query: { count } }), biomarkersView)
  },
})
