import { defineCommand } from '../../command/define-command.ts'
import { userView } from './view.ts'

export default defineCommand({
  user: 'either',
  many: {},
  output: 'users.get',
  view: userView,
  examples: ['facescan users get 4711', 'facescan users get 4711 --json=user_id,language'],
  run: async (ctx, { user }) => (await ctx.api()).users.get({ user }),
})
