import { ConfigurationError, UsageError } from '../base/errors.ts'
import type { PrintOptions } from '../framework/context.ts'
import { nameUser, type UserId, userWords } from '../framework/user.ts'
import { print } from '../output/print.ts'
import { isForPeople } from '../output/settings.ts'
import type { AnyView } from '../output/view.ts'
import type { CommandContext } from './command-context.ts'

/**
 * Prints the result of a command. If `--json` or `--jq` fails on the result, a read-only command also fails, but a command that made a
 * change prints the complete result and a warning. If the output of a change cannot be written, a warning states that the change was made.
 */
export async function printResult<T>(
  ctx: CommandContext,
  value: T,
  view: AnyView<T>,
  { user, isComplete, hasChanged }: PrintOptions & { hasChanged: boolean },
): Promise<void> {
  const { io, definition, filter } = ctx
  const settings = isComplete ? { ...ctx.settings, fields: undefined } : ctx.settings
  const stdout = ctx.terminals.stdout
  // Only commands that print health data open the session here, because other commands may have no session.
  const hasReference = view.reference === true && stdout.isTTY
  const terminal = hasReference ? { ...stdout, reference: (await ctx.session()).reference === true } : stdout
  const to = { io, terminal, user: user && nameUser(user) }
  try {
    await print(value, view, settings, { ...to, filter: settings.jq === undefined ? undefined : filter })
    if (isForPeople(settings)) await noteIfEmpty(ctx, value, view, user)
  } catch (error) {
    const isChanged = hasChanged || definition.localEffect !== 'read'
    if (isChanged && error instanceof ConfigurationError)
      ctx.warn('the change was made, but its result could not be printed')
    if (!(error instanceof UsageError) || !isChanged) throw error
    ctx.warn(`${error.message}; the change was made, so the complete result is shown`)
    await print(value, view, { ...settings, fields: undefined }, to)
  }
}

/** Prints a note about an empty result. Opens the session only if the note has next steps, because some commands have no session. */
async function noteIfEmpty<T>(
  ctx: CommandContext,
  value: T,
  view: AnyView<T>,
  user: UserId | undefined,
): Promise<void> {
  const [{ followUp }, { remarkOn }] = await Promise.all([
    import('../output/hint.ts'),
    import('../output/people.ts'),
  ])
  const own = user ? ` ${userWords(user)}` : ''
  const command = (words: string) => followUp(words + own, ctx.flags)
  const hasNextSteps = 'rows' in view && typeof view.empty === 'function'
  const isSandbox = hasNextSteps && (await ctx.session()).environment === 'sandbox'
  const remark = remarkOn(value, view, { command, isSandbox })
  if (remark !== undefined) ctx.note(remark)
}
