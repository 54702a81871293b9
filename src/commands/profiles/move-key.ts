import { defineCommand } from '../../command/define-command.ts'
import { moveKey } from '../../profiles/edit-profiles.ts'
import { showProfile } from '../../profiles/list-profiles.ts'
import { profileView } from './view.ts'

export default defineCommand({
  output: async () => (await import('./schema.ts')).profile,
  view: profileView,
  localEffect: 'change',
  args: [['<profile>', 'the profile']],
  options: [
    ['--store <store>', 'where the key goes', { required: true, choices: ['keyring', 'file'] as const }],
  ],
  description:
    'The old copy is removed when the new one is in place. A key that a command printed is stored from then on.',
  examples: ['facescan profiles move-key ACME --store keyring'],
  async run(ctx, { profile: name, store }) {
    const leftBehind = await moveKey(ctx, name, store)
    if (leftBehind) ctx.warn(`the old copy is still in its store: ${leftBehind}`)
    return showProfile(ctx.paths, name, ctx.clock.now())
  },
})
