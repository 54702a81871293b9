import { commandResult } from '../../framework/command-result.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { userView, viewOfExternal } from './view.ts'

export default defineCommand({
  user: 'either',
  many: {},
  output: 'users.get',
  view: userView,
  examples: ['facescan users get 4711', 'facescan users get 4711 --json=user_id,language'],
  async run(ctx, { user }) {
    const found = await (await ctx.api()).users.get({ user })
    return commandResult(found, {
      view: 'user_id' in user ? userView : viewOfExternal(user.external_user_id),
    })
  },
})
