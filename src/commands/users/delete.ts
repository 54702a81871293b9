import { defineCommand } from '../../command/define-command.ts'
import { outcome } from '../../command/outcome.ts'
import { nameUser } from '../../command/user.ts'
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
        subject: describeUser(found),
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

/** The user as the confirmation question shows it. */
function describeUser({ user_id, customer, sex, birth_date }: UserShown): string {
  const facts = [`user ${user_id}`, `of ${customer}`, sex, birth_date && `born ${birth_date}`]
  return facts.filter(Boolean).join(', ')
}
