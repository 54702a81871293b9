import { isForPeople } from '../output/settings.ts'
import type { AnyView } from '../output/view.ts'
import type { Context } from './context.ts'
import type { Command } from './define-command.ts'
import { explainMissing, namePlace } from './follow-up.ts'
import type { ManyInput } from './many/options.ts'
import { alreadyPrinted, Outcome, outcome } from './outcome.ts'

/** Runs a command once or for each user of a list, prints its result and then its remarks. Throws the error of the outcome last. */
export async function execute(ctx: Context, command: Command, input: Record<string, unknown>): Promise<void> {
  const returned = await start(ctx, command, input).catch(async (error: unknown) => {
    throw await explainMissing(error, ctx, command.user, input)
  })
  await printOutcome(ctx, returned instanceof Outcome ? returned : outcome(returned, {}), command)
}

async function start(ctx: Context, command: Command, input: Record<string, unknown>): Promise<unknown> {
  if (!command.many || input['users'] === undefined) return command.run(ctx, input)
  const { runMany } = await import('./many/run-many.ts')
  return runMany(ctx, command, input as ManyInput)
}

/** Also used by a command that prints one result and continues. */
export async function printOutcome<T>(
  ctx: Context,
  { value, view, ending }: Outcome<T>,
  command?: Pick<Command, 'view' | 'calls'>,
): Promise<void> {
  const isShown = value !== alreadyPrinted && (!ending.brief || !isForPeople(ctx.settings))
  if (isShown) await printValue(ctx, value, view ?? command?.view)
  if (ending.done !== undefined)
    ctx.done(command?.calls.length ? `${ending.done} in ${await namePlace(ctx)}` : ending.done)
  if (ending.cut !== undefined) ctx.note(ending.cut)
  for (const note of ending.notes ?? []) ctx.note(note)
  if (ending.error) {
    ending.error.details.reported = ending.reported
    throw ending.error
  }
  ending.reported?.()
}

function printValue<T>(ctx: Context, value: T, view: AnyView<never> | undefined): Promise<void> {
  if (view === undefined) throw new Error(`${ctx.command} returned a result without a view`)
  return ctx.print(value as never, view)
}
