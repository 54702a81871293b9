import { defineCommand } from '../../command/define-command.ts'
import { moveKey } from '../../profiles/edit-profiles.ts'
import { changed, editsProfile } from './edits-profile.ts'

export default defineCommand({
  ...editsProfile,
  options: [
    ['--store <store>', 'new store for the key', { required: true, choices: ['keyring', 'file'] as const }],
  ],
  description:
    'Stores the key in the new store, then removes the old copy. If the profile uses a key command, the stored key replaces the command.',
  examples: ['facescan profiles move-key ACME --store keyring'],
  async run(ctx, { profile: name, store }) {
    const leftBehind = await moveKey(ctx, name, store)
    if (leftBehind) ctx.warn(`could not remove the old key from its store: ${leftBehind}`)
    return changed(ctx, name, { done: `Moved the key of profile ${name}` })
  },
})
