import { RefusedError } from '../../base/errors.ts'
import type { Context } from '../../command/context.ts'
import { outcome } from '../../command/outcome.ts'
import { unconfirmed } from '../../profiles/guard.ts'
import { showProfile } from '../../profiles/list-profiles.ts'
import { environmentOf } from '../../profiles/profile.ts'
import type { ProfileShown } from '../../profiles/schemas.ts'
import { profileView } from './view.ts'

/** The parts of a command that changes one profile and prints it. */
export const editsProfile = {
  output: async () => (await import('../../profiles/schemas.ts')).profile,
  view: profileView,
  localEffect: 'change',
  args: [['<profile>', 'profile name']],
} as const

export async function changed(
  ctx: Context,
  name: string,
  ending: { done: string; notes?: readonly string[] },
) {
  return outcome(await showProfile(ctx.paths, name, ctx.clock.now()), ending)
}

/**
 * Confirms a change of a profile, such as `removing profile ACME`. Without a prompt, a production profile needs --confirm with
 * its name.
 */
export async function agreeOnProfile(ctx: Context, name: string, change: string): Promise<void> {
  const isProduction = environmentOf(name) === 'production'
  const { confirm, yes } = ctx.flags
  const flag = `--confirm=${name}`
  if (confirm !== undefined && confirm !== name)
    throw unconfirmed(`--confirm does not match: ${change} needs ${flag}`, flag)
  if (confirm === name || (yes && !isProduction)) return
  if (!ctx.ask.possible) throw unconfirmed(`${change} needs confirmation`, isProduction ? flag : '--yes')
  const question = `${change.charAt(0).toUpperCase()}${change.slice(1)}. Continue?`
  if (!(await ctx.ask.confirm(question))) throw new RefusedError('canceled; nothing was changed')
}

export async function agreeOnBaseUrl(
  ctx: Context,
  { name, base_url }: ProfileShown,
  baseUrl: string,
): Promise<void> {
  if (base_url === null || base_url === baseUrl) return
  await agreeOnProfile(ctx, name, `sending the key of ${name} to ${new URL(baseUrl).host}`)
}
