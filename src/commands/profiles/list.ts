import { defineCommand } from '../../framework/define-command.ts'
import { limitOf, limitOptions } from '../../framework/limit.ts'
import { listProfiles } from '../../profiles/list-profiles.ts'
import { profilesView } from './view.ts'

export default defineCommand({
  output: async () => (await import('../../profiles/list-profiles.ts')).profiles,
  view: profilesView,
  description: 'Shows fingerprints instead of keys. A fingerprint is the start of the key’s hash.',
  examples: ['facescan profiles list', 'facescan profiles list --json=name,fingerprint'],
  options: limitOptions('profiles'),
  async run(ctx, options) {
    return (await listProfiles(ctx.paths, ctx.clock.now())).slice(0, limitOf(options))
  },
})
