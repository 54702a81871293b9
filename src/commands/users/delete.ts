import { defineCommand } from '../../command/define-command.ts'
import { eitherId, essential } from '../who.ts'
import { deletedView, type UserShown } from './view.ts'

export default defineCommand({
  effect: 'destroy',
  view: deletedView,
  user: 'either',
  description: 'Deletes the user with all profiles and face-scan results. This cannot be undone.',
  examples: [
    'facescan users delete --external-user-id 4711',
    'facescan users delete --user-id 5151d12e-2f9a-4d7a-962f-fd85d23bd68b --yes',
  ],
  async run(ctx, _args, options) {
    const api = await ctx.api()
    const user = await api.users.get({ user: eitherId(options) })
    const user_id = essential(user, 'user_id')
    if (!ctx.flags.dryRun) {
      await ctx.approve({
        effect: 'destroy',
        summary: 'delete a user with all data',
        subject: describeUser(user),
        userId: user_id,
        externalUserId: options.externalUserId,
      })
    }
    await api.users.delete({ user: { user_id } })
    await ctx.print({ user_id, deleted: true }, deletedView)
  },
})

/** Who disappears, as the question before it shows. */
function describeUser({ user_id, customer, sex, birth_date }: UserShown): string {
  const facts = [`user ${user_id}`, `of ${customer}`, sex, birth_date && `born ${birth_date}`]
  return facts.filter(Boolean).join(', ')
}
