/** The steps of a command line whose command is known, in the order in which `main` calls them. */

import type { Context } from '../framework/context.ts'
import type { Command } from '../framework/define-command.ts'
import { execute } from '../framework/execute.ts'
import type { UserId } from '../framework/user.ts'
import { DryRunStop, plannedView } from '../http/dry-run.ts'
import { checkFields } from '../output/fields.ts'
import { isComplete, type Parsed } from './parse.ts'

export { createContext } from './create-context.ts'
export { parse } from './parse.ts'
export { readDefaults } from './profile-defaults.ts'

/** The input of the command, with the answers to prompts for the values that the command line lacks. */
export async function complete(
  ctx: Context,
  command: Command,
  parsed: Parsed,
): Promise<Record<string, unknown>> {
  if (isComplete(parsed)) return parsed.input
  const { askMissing } = await import('./complete.ts')
  return askMissing(ctx, command, parsed)
}

/** Runs the command and prints its result. A dry run prints the request that it did not send. */
export async function runOrPlan(
  ctx: Context,
  command: Command,
  input: Record<string, unknown>,
): Promise<void> {
  ctx.target.user = input['user'] as UserId | undefined
  try {
    await execute(ctx, command, input)
  } catch (error) {
    if (!(error instanceof DryRunStop)) throw error
    if (ctx.settings.fields) checkFields(ctx.settings.fields, [plannedView])
    await ctx.print(error.planned, plannedView)
  }
}
