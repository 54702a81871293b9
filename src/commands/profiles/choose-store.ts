import { ConfigurationError, RefusedError } from '../../base/errors.ts'
import type { Context } from '../../command/context.ts'
import { findKeyringProblem } from '../../profiles/keyring.ts'
import { environmentOf } from '../../profiles/profile.ts'

/** Chooses the store of a key. A production key is stored in a file only if the person agrees. */
export async function chooseStore(
  ctx: Context,
  name: string,
  wanted: 'keyring' | 'file' | undefined,
): Promise<'keyring' | 'file'> {
  if (wanted) return wanted
  if (environmentOf(name) !== 'production') return 'file'
  const problem = await findKeyringProblem(ctx.env)
  if (!problem) return 'keyring'
  if (!ctx.ask.possible) {
    throw new ConfigurationError(problem, {
      hint: 'Use --store file to store the key in a file that only you can read, or use --key-command.',
    })
  }
  ctx.warn(problem)
  const agreed = await ctx.ask.confirm('Store the production key in a file that only you can read?')
  if (!agreed)
    throw new RefusedError('the key was not stored', {
      hint: 'To use a password manager instead, pass --key-command.',
    })
  return 'file'
}
