import { defineCommand } from '../../framework/define-command.ts'
import { argument } from '../../framework/options.ts'
import { showProfile } from '../../profiles/list-profiles.ts'
import { offersProfiles } from './edits-profile.ts'
import { profileView } from './view.ts'

export default defineCommand({
  output: async () => (await import('../../profiles/list-profiles.ts')).profile,
  view: profileView,
  args: { profile: argument('<profile>', 'profile name') },
  prompts: { profile: offersProfiles },
  examples: ['facescan profiles show SANDBOX-DEV', 'facescan profiles show SANDBOX-DEV --json'],
  run: (ctx, { profile }) => showProfile(ctx.paths, profile, ctx.clock.now()),
})
