import { mayBeApplied, ServiceError, UsageError } from '../../base/errors.ts'
import { commandResult } from '../../framework/command-result.ts'
import type { Context } from '../../framework/context.ts'
import { defineCommand } from '../../framework/define-command.ts'
import type { ChangeStep, ListedInput } from '../../framework/many/options.ts'
import { flag } from '../../framework/options.ts'
import { assertSameUser, isSameId, namePlace, shownUser, type UserId } from '../../framework/user.ts'
import type { Api } from '../../http/client.ts'
import { requireField } from '../reach-user.ts'
import { isMissingUser, readUser, unlessMissing } from './read-user.ts'
import type { UserShown } from './view.ts'

export default defineCommand({
  user: 'either',
  many: { change: { verb: 'delete', fileName: 'deleted.csv', each: deleteListed } },
  output: async () => {
    const { literal, strictObject, string } = await import('zod/mini')
    return strictObject({ user_id: string(), deleted: literal(true) })
  },
  calls: ['users.get', 'users.delete'],
  effect: 'destroy',
  view: {
    columns: [
      { key: 'user_id', title: 'User ID', whole: true },
      { key: 'deleted', title: 'Deleted', cell: () => 'user and all of their data' },
    ],
  },
  description:
    'Deletes the user and all of their data, including face scan results. Deletion is permanent. With --users, set --confirm to the number of users. The deleted users are listed in a file beside the list, such as `leavers.deleted.csv`.',
  examples: [
    'facescan users delete 4711 --confirm=4711',
    'facescan users delete --users leavers.csv --confirm=1',
    'facescan users delete --users staff.users.csv --only created --confirm=1',
  ],
  options: { only: flag('--only <status>', 'delete the listed users with this status') },
  async run(ctx, { user, only }) {
    if (only !== undefined) throw new UsageError('--only selects rows of a list and needs --users')
    const api = await ctx.api()
    const found = await readUser(api, user)
    const user_id = 'user_id' in user ? user.user_id : requireField(found, 'user_id')
    // If stderr is not a terminal, it is often a log file. A log must not contain personal data.
    const subject = found && ctx.terminals.stderr.isTTY ? describeUser(user, found) : undefined
    if (ctx.flags.dryRun) {
      const name = subject ?? `user ${shownUser(user)}`
      ctx.note(`would delete ${name} and all of their data in ${await namePlace(ctx)}`)
    } else {
      await ctx.confirm({
        effect: 'destroy',
        summary: 'delete a user and all of their data',
        subject,
        userId: user_id,
        externalUserId: 'external_user_id' in user ? user.external_user_id : undefined,
      })
    }
    const deleted = await ensureDeleted(api, user, user_id, {
      announced: undefined,
      send: (_, request) => request(),
    })
    return commandResult(deleted, {
      done: `Deleted user ${shownUser(user)} and all of their data`,
      brief: true,
    })
  },
})

async function deleteListed(ctx: Context, { user, expectedUserId }: ListedInput, step: ChangeStep) {
  const api = await ctx.api()
  const user_id =
    step.announced ??
    ('user_id' in user ? user.user_id : requireField(await api.users.get({ user }), 'user_id'))
  assertSameUser(user_id, expectedUserId)
  return ensureDeleted(api, user, user_id, step)
}

/**
 * Deletes a user. If the response does not confirm the deletion (only a 204 does), the deletion is a success only if the service no longer
 * finds the user. If an earlier attempt or an interrupted run may have deleted the user, a 404 is a success. If the user is still found, the
 * 404 came from a wrong path or a proxy.
 */
async function ensureDeleted(api: Api, user: UserId, user_id: string, { announced, send }: ChangeStep) {
  try {
    await send(user_id, () => api.users.delete({ user: { user_id } }))
  } catch (error) {
    if (error instanceof ServiceError && isSuccess(error.details.status)) {
      const found = await unlessMissing(api.users.get({ user })).catch(() => 'unread' as const)
      if (found === 'unread') throw error
      if (found === undefined) return { user_id, deleted: true } as const
      throw new ServiceError(error.code, `${error.message}, and the user still exists`, error.details)
    }
    if (!isMissingUser(error)) throw error
    const found = await unlessMissing(readUser(api, user))
    if (isSameId(found?.user_id, user_id))
      throw new ServiceError(
        error.code,
        `the user was not deleted: the service returned ${error.details.status} for the deletion, but the user exists`,
        { ...error.details, missing: 'address' },
      )
    if (announced === undefined && !mayBeApplied(error)) throw error
  }
  return { user_id, deleted: true } as const
}

function isSuccess(status = 0): boolean {
  return status >= 200 && status < 300
}

function describeUser(typed: UserId, { customer, sex, birth_date }: UserShown): string {
  const facts = [customer, sex, birth_date && `born ${birth_date}`].filter(Boolean).join(', ')
  return `user ${shownUser(typed)} (${facts})`
}
