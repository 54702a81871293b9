import { type ErrorDetails, RefusedError } from '../base/errors.ts'
import type { Context } from '../framework/context.ts'

/**
 * Asks for confirmation before data is removed permanently. `--yes` skips the prompt. `unasked` is the error if prompts are not possible.
 */
export async function agreeToRemove(
  ctx: Context,
  question: string,
  unasked: { message: string; hint: ErrorDetails['hint'] },
): Promise<void> {
  if (ctx.flags.yes) return
  if (!ctx.ask.possible) throw new RefusedError(unasked.message, { hint: unasked.hint })
  if (!(await ctx.ask.confirm(question))) throw new RefusedError('canceled; nothing was removed')
}
