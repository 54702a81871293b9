import { defineCommand } from '../../command.ts'
import { ServiceError } from '../../errors.ts'
import { nonEmpty } from '../../values.ts'
import { fieldOptions, toFields } from './fields.ts'
import { userView } from './view.ts'

export default defineCommand({
  effect: 'change',
  view: userView,
  options: [
    ['--external-user-id <id>', 'your own id for the user', { required: true, parse: nonEmpty }],
    ...fieldOptions,
    ['--if-not-exists', 'succeed with the stored user when the id is taken'],
  ],
  examples: [
    'facescan users create --external-user-id 4711 --sex F --birth-date 1984-02-29',
    'facescan users create --external-user-id 4711 --if-not-exists --json=user_id',
  ],
  async run(ctx, _args, options) {
    const api = await ctx.api()
    const external_user_id = options.externalUserId
    try {
      const user = await api.users.create({ body: { external_user_id, ...toFields(options) } })
      await ctx.print(user, userView)
      if (ctx.pen('stderr').terminal) ctx.note(`Next: facescan scan-url --user-id ${user.user_id}`)
    } catch (error) {
      if (!options.ifNotExists || !isTaken(error)) throw error
      await ctx.print(await api.users.get({ user: { external_user_id } }), userView)
      ctx.note('The user existed already and is unchanged.')
    }
  },
})

function isTaken(error: unknown): boolean {
  return (
    error instanceof ServiceError && error.details.status === 400 && /already exists/i.test(error.message)
  )
}
