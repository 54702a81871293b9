import { ServiceError } from '../../base/errors.ts'
import type { Context } from '../../command/context.ts'
import { defineCommand } from '../../command/define-command.ts'
import { followUp } from '../../command/follow-up.ts'
import { outcome } from '../../command/outcome.ts'
import { fieldOptions, toFields } from './fields.ts'
import { userView } from './view.ts'

export default defineCommand({
  user: 'new',
  output: 'users.create',
  effect: 'change',
  view: userView,
  options: [...fieldOptions, ['--if-not-exists', 'succeed with the stored user when the id is taken']],
  examples: [
    'facescan users create 4711 --sex F --birth-date 1984-02-29',
    'facescan users create 4711 --if-not-exists --json=user_id',
  ],
  checkAnswer: {
    user: async (ctx, id) =>
      (await userExists(ctx, id)) ? `user "${id}" already exists; enter another ID` : true,
  },
  async run(ctx, { user, ifNotExists, ...fields }) {
    const api = await ctx.api()
    try {
      const created = await api.users.create({ body: { ...user, ...toFields(fields) } })
      const next = ctx.pen('stderr').terminal && created.user_id
      return next ? outcome(created, { notes: [`next: ${await suggestNext(ctx, next)}`] }) : created
    } catch (error) {
      if (!isTaken(error)) throw error
      if (!ifNotExists) throw suggestExisting(error, ctx)
      const notes = ['the user existed already and is unchanged']
      return outcome(await api.users.get({ user }), { notes })
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

async function userExists(ctx: Context, external_user_id: string): Promise<boolean> {
  const api = await ctx.api()
  try {
    await api.users.get({ user: { external_user_id } })
    return true
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return false
    throw error
  }
}
