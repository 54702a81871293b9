import { isForPeople } from '../output/settings.ts'
import { alreadyPrinted, type CommandResult, commandResult, toCommandResult } from './command-result.ts'
import type { Context } from './context.ts'
import type { Command } from './define-command.ts'
import type { ManyInput } from './many/options.ts'
import { namePlace, type UserId } from './user.ts'

export async function runOrPlan(
  ctx: Context,
  command: Command,
  input: Record<string, unknown>,
): Promise<CommandResult<unknown>> {
  try {
    if (!command.many || input['users'] === undefined) return toCommandResult(await command.run(ctx, input))
    const { runMany } = await import('./many/run-many.ts')
    return toCommandResult(await runMany(ctx, command, input as ManyInput))
  } catch (error) {
    const plan = ctx.flags.dryRun ? await planIn(error, ctx) : undefined
    if (plan) return plan
    const { explainMissing } = await import('./explain-missing.ts')
    throw await explainMissing(error, ctx, command.user, input)
  }
}

async function planIn(
  error: unknown,
  { settings: { fields } }: Context,
): Promise<CommandResult<unknown> | undefined> {
  const { PlannedRequest, plannedView } = await import('../http/trace.ts')
  if (!(error instanceof PlannedRequest)) return undefined
  // If `--json` names only fields that the request does not have, the complete request is printed.
  const isComplete = fields?.every((field) => !Object.hasOwn(error.plan, field))
  return commandResult(error.plan, { view: plannedView, isComplete })
}

interface Shown extends Partial<Pick<Command, 'view' | 'calls'>> {
  user?: UserId | undefined
}

/** Prints a result and then its notes. Throws the error of the result at the end. */
export async function printCommandResult<T>(
  ctx: Context,
  { value, view, isComplete, done, brief, notes = [], cut, error, reported }: CommandResult<T>,
  { view: usual, calls = [], user }: Shown = {},
): Promise<void> {
  const isShown = value !== alreadyPrinted && (!brief || !isForPeople(ctx.settings))
  const shown = view ?? usual
  if (isShown && shown === undefined) throw new Error(`${ctx.command} returned a result without a view`)
  if (isShown && shown) await ctx.print(value as never, shown, { user, isComplete })
  if (done !== undefined) ctx.done(calls.length > 0 ? `${done} in ${await namePlace(ctx)}` : done)
  if (cut !== undefined) ctx.note(cut)
  for (const note of notes) ctx.note(note)
  if (error) {
    error.details.reported = reported
    throw error
  }
  reported?.()
}
