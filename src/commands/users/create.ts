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
  options: [...fieldOptions, ['--if-not-exists', 'succeed with the stored user if the ID exists']],
  examples: [
    'facescan users create 4711 --sex F --birth-date 1984-02-29',
    'facescan users create 4711 --if-not-exists --json=user_id',
  ],
  checkAnswer: {
    user: async (ctx, id) =>
      (await findUser(ctx, { external_user_id: id }))
        ? `user "${id}" already exists; enter another ID`
        : true,
  },
  async run(ctx, { user, ifNotExists, ...fields }) {
    const api = await ctx.api()
    try {
      const created = await api.users.create({ body: { ...user, ...toFields(fields) } })
      const next = ctx.pen('stderr').terminal && created.user_id
      return next ? outcome(created, { notes: [`next: ${await suggestNext(ctx, next)}`] }) : created
    } catch (error) {
      const existing = user && mayExist(error) ? await findUser(ctx, user) : undefined
      if (!existing || !mayExist(error)) throw error
      if (!ifNotExists) throw suggestExisting(error, ctx)
      return outcome(existing, { notes: ['the user already exists and is unchanged'] })
    }
  },
})

/** The sandbox has no face to scan, so it makes up the scans. */
async function suggestNext(ctx: Context, userId: string): Promise<string> {
  const { environment } = await ctx.session()
  if (environment === 'sandbox') return `facescan sandbox scan --count 30 --days 30 --user-id ${userId}`
  return followUp(`scan-url --user-id ${userId}`, ctx.flags)
}

function suggestExisting({ code, message, details }: ServiceError, { flags }: Context): ServiceError {
  const existing = followUp('users get --external-user-id ID', flags)
  const hint = `Return the stored user with --if-not-exists, or show it: ${existing}`
  return new ServiceError(code, message, { ...details, hint })
}

/** Statuses with which services refuse an external ID that exists. Their wording differs, so only a lookup can tell. */
function mayExist(error: unknown): error is ServiceError {
  return error instanceof ServiceError && [400, 409, 422].includes(error.details.status ?? 0)
}

/** The stored user, undefined if the service does not return one. */
async function findUser(ctx: Context, user: { external_user_id: string }) {
  const api = await ctx.api()
  try {
    return await api.users.get({ user })
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}
