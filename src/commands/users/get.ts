import { defineCommand } from '../../command/define-command.ts'
import { eitherId } from '../who.ts'
import { userView } from './view.ts'

export default defineCommand({
  user: 'either',
  examples: [
    'facescan users get --external-user-id 4711',
    'facescan users get --external-user-id 4711 --json=user_id,language',
  ],
  async run(ctx, _args, options) {
    const api = await ctx.api()
    await ctx.print(await api.users.get({ user: eitherId(options) }), userView)
  },
})
