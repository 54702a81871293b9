import type { Context } from './context.ts'
import type { Command } from './define-command.ts'
import { alreadyPrinted, Outcome, outcome } from './outcome.ts'

/** Runs a command, prints its result and then its remarks. Throws the error of the outcome last. */
export async function execute(ctx: Context, command: Command, input: Record<string, unknown>): Promise<void> {
  const returned = await command.run(ctx, input)
  if (returned === alreadyPrinted) return
  await printOutcome(ctx, returned instanceof Outcome ? returned : outcome(returned, {}), command)
}

/** Also used by a command that prints one result and continues. */
export async function printOutcome<T>(
  ctx: Context,
  { value, view, ending }: Outcome<T>,
  command?: Pick<Command, 'view'>,
): Promise<void> {
  const shownBy = view ?? command?.view
  if (shownBy === undefined) throw new Error(`${ctx.command} returned a result without a view`)
  await ctx.print(value as never, shownBy)
  if (ending.done !== undefined) ctx.done(ending.done)
  for (const note of ending.notes ?? []) ctx.note(note)
  if (ending.error) throw ending.error
}
