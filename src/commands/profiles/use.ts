import { defineCommand } from '../../command/define-command.ts'
import { outcome } from '../../command/outcome.ts'
import { useProfile } from '../../profiles/edit-profiles.ts'
import { showProfile } from '../../profiles/list-profiles.ts'
import { profileView } from './view.ts'

export default defineCommand({
  output: async () => (await import('../../profiles/schemas.ts')).profile,
  view: profileView,
  localEffect: 'change',
  args: [['<profile>', 'profile name']],
  description: 'Sets the profile that commands use if none is selected.',
  examples: ['facescan profiles use SANDBOX-DEV'],
  async run(ctx, { profile: name }) {
    await useProfile(ctx, name)
    const shown = await showProfile(ctx.paths, name, ctx.clock.now())
    if (shown.environment === 'production')
      ctx.warn(`commands without --profile now use production (${name})`)
    return outcome(shown, { done: `Default profile is now ${name}` })
  },
})
