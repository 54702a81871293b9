import { defineCommand } from '../../command/define-command.ts'
import { cutList, limitOf, limitOptions } from '../../command/limit.ts'
import { listProfiles } from '../../profiles/list-profiles.ts'
import { profilesView } from './view.ts'

export default defineCommand({
  output: async () => (await import('../../profiles/schemas.ts')).profiles,
  view: profilesView,
  description: 'Each key is shown as its fingerprint, the start of its hash.',
  examples: ['facescan profiles list', 'facescan profiles list --json=name,fingerprint'],
  options: limitOptions('profiles'),
  async run(ctx, options) {
    return cutList(await listProfiles(ctx.paths, ctx.clock.now()), limitOf(options), ['first', 'profile'])
  },
})
