import { type ErrorCode, ServiceError, UsageError } from '../../base/errors.ts'
import { commandResult } from '../../framework/command-result.ts'
import type { Context } from '../../framework/context.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { toggle } from '../../framework/options.ts'
import { namePlace, userArguments, userWords } from '../../framework/user.ts'
import { followUp } from '../../output/hint.ts'
import { sendCreation } from './create-once.ts'
import { fieldOptions, findIdProblems, idRule, toFields } from './fields.ts'
import { sendForNew } from './read-user.ts'
import { userView } from './view.ts'

export default defineCommand({
  user: 'new',
  output: 'users.create',
  effect: 'change',
  view: userView,
  options: {
    ...fieldOptions,
    ifNotExists: toggle('--if-not-exists', 'return the existing user if the ID is taken'),
    ids: idRule,
  },
  examples: [
    'facescan users create 4711 --sex F --birth-date 1984-02-29',
    'facescan users create 4711 --if-not-exists --json=user_id',
  ],
  prompts: {
    user: {
      check: async (ctx, user) => {
        if ('user_id' in user) return
        const found = await findUser(ctx, user, { codes: ['not_found', 'forbidden', 'rejected'] })
        if (found) throw new UsageError(`user "${user.external_user_id}" already exists; enter another ID`)
      },
    },
  },
  check: ({ user, ids }) => findIdProblems(user?.external_user_id, ids),
  async run(ctx, { user, ifNotExists, ids: _, ...fields }) {
    const api = await ctx.api()
    try {
      const { user: created, status } = await sendCreation(api, { ...user, ...toFields(fields) })
      const name = user?.external_user_id ?? created.user_id
      const doubt = `user ${name} may have existed before: the service returned status ${status}, not 201`
      const next = ctx.terminals.stderr.isTTY ? [`next: ${await suggestNext(ctx, created, user)}`] : []
      return commandResult(
        created,
        status === 201 ? { done: `Created user ${name}`, notes: next } : { notes: [doubt, ...next] },
      )
    } catch (error) {
      if (!user || !mayExist(error)) throw error
      const existing = await findUser(ctx, user, { isNew: ifNotExists && statesExisting(error) })
      if (!existing) throw error
      const id = user.external_user_id
      if (!ifNotExists) throw error.details.applied === 'no' ? await explainTaken(error, ctx, id) : error
      const stored =
        error.details.applied === 'no' ? 'already exists and was not changed' : 'may have existed before'
      return commandResult(existing, {
        notes: [`user ${id} ${stored}${differences(existing, toFields(fields))}`],
      })
    }
  },
})

async function suggestNext(
  ctx: Context,
  { user_id }: { user_id: string },
  user: { external_user_id: string } | undefined,
): Promise<string> {
  const id = userWords(user ?? { user_id })
  const { environment } = await ctx.session()
  if (environment === 'sandbox') return `facescan sandbox scan ${id} --count 30 --days 30`
  return followUp(`scan-url ${id}`, ctx.flags)
}

async function explainTaken(
  { code, details }: ServiceError,
  ctx: Context,
  id: string,
): Promise<ServiceError> {
  const run = ['users', 'get', ...userArguments({ external_user_id: id })]
  return new ServiceError(code, `user "${id}" already exists in ${await namePlace(ctx)}`, {
    ...details,
    hint: { text: 'Add --if-not-exists to return the existing user, or show the user', run },
  })
}

function differences(
  stored: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
): string {
  const different = Object.keys(given).filter((name) => stored[name] !== given[name])
  return different.length === 0 ? '' : `; different in the existing user: ${different.join(', ')}`
}

/** Whether the external user ID may already exist. Services use different texts, so the user is looked up after such an error. */
function mayExist(error: unknown): error is ServiceError {
  return error instanceof ServiceError && [200, 201, 400, 409, 422].includes(error.details.status ?? 0)
}

/** Whether an error states that the user exists. A user who is then not found is looked up again later. */
function statesExisting({ details: { status, detail } }: ServiceError): boolean {
  return status === 409 || /\b(exists|taken|duplicate|not unique)\b/i.test(detail ?? '')
}

/** The existing user. Undefined if the lookup fails with an error in `codes` (default: any error response). */
async function findUser(
  ctx: Context,
  user: { external_user_id: string },
  { codes, isNew }: { codes?: readonly ErrorCode[]; isNew?: boolean },
) {
  const api = await ctx.api()
  const send = () => api.users.get({ user })
  try {
    return await (isNew ? sendForNew(ctx, send) : send())
  } catch (error) {
    if (error instanceof ServiceError && (codes?.includes(error.code) ?? true)) return undefined
    throw error
  }
}
