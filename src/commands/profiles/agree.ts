import { RefusedError } from '../../base/errors.ts'
import type { Context } from '../../command/context.ts'
import { environmentOf } from '../../profiles/profile.ts'

/** Asks before the protection of a profile is reduced. Without a prompt, a production profile needs --confirm with its name. */
export async function agreeOnProfile(ctx: Context, name: string, question: string): Promise<void> {
  const isProduction = environmentOf(name) === 'production'
  const { confirm, yes } = ctx.flags
  if (confirm !== undefined && confirm !== name) {
    throw new RefusedError('the value of --confirm does not name the profile', {
      hint: `Give --confirm=${name}`,
    })
  }
  if (confirm === name || (yes && !isProduction)) return
  if (!ctx.ask.possible) {
    throw new RefusedError(`this needs confirmation: ${question}`, {
      hint: isProduction ? `Give --confirm=${name}` : 'Give --yes',
    })
  }
  if (!(await ctx.ask.confirm(question))) throw new RefusedError('nothing was changed')
}
