import { defineCommand } from '../../command/define-command.ts'
import { showProfile } from '../../profiles/list-profiles.ts'
import { profileView } from './view.ts'

export default defineCommand({
  args: [['<profile>', 'the profile']],
  examples: ['facescan profiles show SANDBOX-DEV', 'facescan profiles show SANDBOX-DEV --json'],
  async run(ctx, [name]) {
    await ctx.print(await showProfile(ctx.paths, name, ctx.clock.now()), profileView)
  },
})
