import { defineCommand } from '../../command.ts'
import { RefusedError, UsageError } from '../../errors.ts'
import { eitherId } from '../who.ts'
import { deletedView } from './view.ts'

export default defineCommand({
  effect: 'destroy',
  user: 'either',
  description: 'Deletes the user with all profiles and face-scan results. This cannot be undone.',
  examples: [
    'facescan users delete --external-user-id 4711',
    'facescan users delete --user-id 5151d12e-2f9a-4d7a-962f-fd85d23bd68b --yes',
  ],
  async run(ctx, _args, options) {
    const api = await ctx.api()
    const user = await api.users.get({ user: eitherId(options) })
    if (!ctx.flags.dryRun && !ctx.flags.yes) {
      if (!ctx.ask.possible) {
        throw new UsageError('deleting needs a confirmation', {
          hint: 'Give --yes to delete without being asked.',
        })
      }
      const agreed = await ctx.ask.confirm(`Delete user ${user.user_id} of ${user.customer} with all data?`)
      if (!agreed) throw new RefusedError('nothing was deleted')
    }
    await api.users.delete({ user: { user_id: user.user_id } })
    await ctx.print({ user_id: user.user_id, deleted: true }, deletedView)
  },
})
