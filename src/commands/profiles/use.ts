import { defineCommand } from '../../command/define-command.ts'
import { useProfile } from '../../profiles/edit-profiles.ts'
import { showProfile } from '../../profiles/list-profiles.ts'
import { profileView } from './view.ts'

export default defineCommand({
  args: [['<profile>', 'the profile']],
  description: 'Makes a profile the one that commands use where none is named.',
  examples: ['facescan profiles use SANDBOX-DEV'],
  async run(ctx, [name]) {
    await useProfile(ctx, name)
    const shown = await showProfile(ctx.paths, name, ctx.clock.now())
    await ctx.print(shown, profileView)
    if (shown.environment === 'production')
      ctx.warn(`commands without --profile now work on production (${name})`)
  },
})
