import { commandResult } from '../../framework/command-result.ts'
import type { Context } from '../../framework/context.ts'
import { argument } from '../../framework/options.ts'
import { guardProfile } from '../../profiles/guard-profile.ts'
import type { ProfileShown } from '../../profiles/list-profiles.ts'
import { listProfiles, showProfile } from '../../profiles/list-profiles.ts'
import { profileView } from './view.ts'

/** Fields of a command that changes one profile and prints it. */
export const editsProfile = {
  output: async () => (await import('../../profiles/list-profiles.ts')).profile,
  view: profileView,
  localEffect: 'change',
  args: { profile: argument('<profile>', 'profile name') },
  prompts: {
    profile: {
      check: async ({ paths, clock }: Context, name: string) => {
        await showProfile(paths, name, clock.now())
      },
    },
  },
} as const

export const offersProfiles = {
  choices: async ({ paths, clock }: Context) =>
    (await listProfiles(paths, clock.now())).map(({ name }) => ({ name, value: name })),
}

export async function changed(
  ctx: Context,
  name: string,
  ending: { done: string; notes?: readonly string[] },
) {
  return commandResult(await showProfile(ctx.paths, name, ctx.clock.now()), ending)
}

export async function agreeOnBaseUrl(
  ctx: Context,
  { name, base_url }: ProfileShown,
  baseUrl: string,
): Promise<void> {
  if (base_url === null || base_url === baseUrl) return
  await guardProfile(name, `change the base URL for ${name} from ${base_url} to ${baseUrl}`, ctx)
}
