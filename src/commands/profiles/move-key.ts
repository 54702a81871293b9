import { defineCommand } from '../../command/define-command.ts'
import { outcome } from '../../command/outcome.ts'
import { moveKey } from '../../profiles/edit-profiles.ts'
import { showProfile } from '../../profiles/list-profiles.ts'
import { profileView } from './view.ts'

export default defineCommand({
  output: async () => (await import('../../profiles/schemas.ts')).profile,
  view: profileView,
  localEffect: 'change',
  args: [['<profile>', 'profile name']],
  options: [
    ['--store <store>', 'new store of the key', { required: true, choices: ['keyring', 'file'] as const }],
  ],
  description:
    'Stores the key in the new store, then removes the old copy. If the profile used a key command, the key is stored instead.',
  examples: ['facescan profiles move-key ACME --store keyring'],
  async run(ctx, { profile: name, store }) {
    const leftBehind = await moveKey(ctx, name, store)
    if (leftBehind) ctx.warn(`could not remove the old key from its store: ${leftBehind}`)
    const shown = await showProfile(ctx.paths, name, ctx.clock.now())
    return outcome(shown, { done: `Moved the key of profile ${name}` })
  },
})
