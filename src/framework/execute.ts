import { isForPeople } from '../output/settings.ts'
import type { Context } from './context.ts'
import type { Command } from './define-command.ts'
import type { ManyInput } from './many/options.ts'
import { alreadyPrinted, type Outcome, outcome, toOutcome } from './outcome.ts'
import type { UserId } from './user.ts'

/** Runs a command for one user or for each user of a list. The result of a dry run is the request that was not sent. */
export async function runOrPlan(
  ctx: Context,
  command: Command,
  input: Record<string, unknown>,
): Promise<Outcome<unknown>> {
  try {
    if (!command.many || input['users'] === undefined) return toOutcome(await command.run(ctx, input))
    const { runMany } = await import('./many/run-many.ts')
    return toOutcome(await runMany(ctx, command, input as ManyInput))
  } catch (error) {
    const plan = ctx.flags.dryRun ? await planIn(error, ctx) : undefined
    if (plan) return plan
    const { explainMissing } = await import('./follow-up.ts')
    throw await explainMissing(error, ctx, command.user, input)
  }
}

async function planIn(error: unknown, { settings }: Context): Promise<Outcome<unknown> | undefined> {
  const { PlannedRequest, plannedView } = await import('../http/dry-run.ts')
  if (!(error instanceof PlannedRequest)) return undefined
  // The request does not have the fields of the result, so the complete request is printed.
  if (settings.fields?.every((field) => !Object.hasOwn(error.plan, field))) settings.fields = undefined
  return outcome(error.plan, { view: plannedView })
}

interface Shown extends Partial<Pick<Command, 'view' | 'calls'>> {
  user?: UserId | undefined
}

/** Prints a result and then its notes. Throws the error of the outcome at the end. */
export async function printOutcome<T>(
  ctx: Context,
  { value, view, ending }: Outcome<T>,
  { view: usual, calls = [], user }: Shown = {},
): Promise<void> {
  const isShown = value !== alreadyPrinted && (!ending.brief || !isForPeople(ctx.settings))
  const shown = view ?? usual
  if (isShown && shown === undefined) throw new Error(`${ctx.command} returned a result without a view`)
  if (isShown && shown) await ctx.print(value as never, shown, user)
  if (ending.done !== undefined) ctx.done(calls.length > 0 ? await addPlace(ending.done, ctx) : ending.done)
  if (ending.cut !== undefined) ctx.note(ending.cut)
  for (const note of ending.notes ?? []) ctx.note(note)
  if (ending.error) {
    ending.error.details.reported = ending.reported
    throw ending.error
  }
  ending.reported?.()
}

async function addPlace(done: string, ctx: Context): Promise<string> {
  const { namePlace } = await import('./follow-up.ts')
  return `${done} in ${await namePlace(ctx)}`
}
