import { defineCommand } from '../command/define-command.ts'
import { wellbeingView } from '../output/health/wellbeing.ts'
import { reachUser } from './who.ts'

export default defineCommand({
  user: 'token',
  description: 'Scores run from 0 to 100, given age and sex: 50 is average, more is better.',
  examples: [
    'facescan wellbeing --external-user-id 4711',
    'facescan wellbeing --external-user-id 4711 --json=status_label',
  ],
  async run(ctx, _args, options) {
    const { api, user } = await reachUser(await ctx.api(), options)
    await ctx.print(await api.wellbeing({ user }), wellbeingView)
  },
})
