import { defineCommand } from '../../command/define-command.ts'
import { outcome } from '../../command/outcome.ts'
import { nameUser, type UserId } from '../../command/user.ts'
import { requireField } from '../reach-user.ts'
import { deletedView, type UserShown } from './view.ts'

export default defineCommand({
  user: 'either',
  output: async () => (await import('./schema.ts')).deletedUser,
  calls: ['users.get', 'users.delete'],
  effect: 'destroy',
  view: deletedView,
  description: 'Deletes the user with all profiles and face scan results. This cannot be undone.',
  examples: [
    'facescan users delete 4711 --yes',
    'facescan users delete --user-id 5151d12e-2f9a-4d7a-962f-fd85d23bd68b --yes',
  ],
  async run(ctx, { user }) {
    const api = await ctx.api()
    const found = await api.users.get({ user })
    const user_id = requireField(found, 'user_id')
    if (!ctx.flags.dryRun) {
      await ctx.approve({
        effect: 'destroy',
        summary: 'delete a user with all data',
        subject: describeUser(user, found),
        userId: user_id,
        externalUserId: 'external_user_id' in user ? user.external_user_id : undefined,
      })
    }
    await api.users.delete({ user: { user_id } })
    return outcome({ user_id, deleted: true } as const, {
      done: `Deleted user ${nameUser(user)} with all data`,
    })
  },
})

/** The user as the confirmation question shows it: the ID that the person typed, and what helps to recognize the person. */
function describeUser(typed: UserId, { customer, sex, birth_date }: UserShown): string {
  const id = 'external_user_id' in typed ? typed.external_user_id : typed.user_id
  const facts = [customer, sex, birth_date && `born ${birth_date}`].filter(Boolean).join(', ')
  return `user ${id} (${facts})`
}
