import { defineCommand } from '../../command/define-command.ts'
import { listProfiles } from '../../profiles/list-profiles.ts'
import { profilesView } from './view.ts'

export default defineCommand({
  output: async () => (await import('./schema.ts')).profiles,
  view: profilesView,
  description: 'Keys are shown by their fingerprint only, the start of their hash.',
  examples: ['facescan profiles list', 'facescan profiles list --json=name,fingerprint'],
  run: (ctx) => listProfiles(ctx.paths, ctx.clock.now()),
})
