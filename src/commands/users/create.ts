import { ServiceError } from '../../base/errors.ts'
import type { Context } from '../../command/context.ts'
import { defineCommand } from '../../command/define-command.ts'
import { followUp } from '../../command/follow-up.ts'
import { accepts } from '../../command/interview-words.ts'
import { nonEmpty } from '../../command/values.ts'
import { askForFields, fieldOptions, toFields } from './fields.ts'
import { userView } from './view.ts'

export default defineCommand({
  effect: 'change',
  view: userView,
  options: [
    ['--external-user-id <id>', 'your own id for the user', { required: true, parse: nonEmpty, once: true }],
    ...fieldOptions,
    ['--if-not-exists', 'succeed with the stored user when the id is taken'],
  ],
  examples: [
    'facescan users create --external-user-id 4711 --sex F --birth-date 1984-02-29',
    'facescan users create --external-user-id 4711 --if-not-exists --json=user_id',
  ],
  async interview(ask) {
    const id = await ask.text('Your own id of the user', { validate: accepts(nonEmpty) })
    return ['--external-user-id', id.trim(), ...(await askForFields(ask))]
  },
  async run(ctx, _args, options) {
    const api = await ctx.api()
    const external_user_id = options.externalUserId
    try {
      const user = await api.users.create({ body: { external_user_id, ...toFields(options) } })
      await ctx.print(user, userView)
      if (ctx.pen('stderr').terminal && user.user_id)
        ctx.note(`next: ${await suggestNext(ctx, user.user_id)}`)
    } catch (error) {
      if (!isTaken(error)) throw error
      if (!options.ifNotExists) throw suggestExisting(error, ctx)
      await ctx.print(await api.users.get({ user: { external_user_id } }), userView)
      ctx.note('the user existed already and is unchanged')
    }
  },
})

/** A user of the sandbox has nobody to scan, so that the scans are made up. */
async function suggestNext(ctx: Context, userId: string): Promise<string> {
  const { environment } = await ctx.session()
  if (environment === 'sandbox') return `facescan sandbox scan --count 30 --days 30 --user-id ${userId}`
  return followUp(`scan-url --user-id ${userId}`, ctx.flags)
}

function suggestExisting({ code, message, details }: ServiceError, { flags }: Context): ServiceError {
  const existing = followUp('users get --external-user-id ID', flags)
  const hint = `Take the stored user as it is with --if-not-exists, or see it with: ${existing}`
  return new ServiceError(code, message, { ...details, hint })
}

function isTaken(error: unknown): error is ServiceError {
  return (
    error instanceof ServiceError && error.details.status === 400 && /already exists/i.test(error.message)
  )
}
