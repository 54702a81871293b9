import { defineCommand } from '../../framework/define-command.ts'
import { flag } from '../../framework/options.ts'
import { oneOf } from '../../framework/values.ts'
import { moveKey } from '../../profiles/edit-profiles.ts'
import { keepingStores } from '../../profiles/profile.ts'
import { changed, editsProfile } from './edits-profile.ts'

export default defineCommand({
  ...editsProfile,
  options: {
    store: flag('--store <store>', 'new key store', oneOf(keepingStores), { required: true }),
  },
  description:
    'Copies the key to the new key store, and then removes the old copy. If the profile uses a key command, the stored key replaces the command.',
  examples: ['facescan profiles move-key ACME --store keyring'],
  async run(ctx, { profile: name, store }) {
    const leftBehind = await moveKey(ctx, name, store)
    if (leftBehind) ctx.warn(`could not remove the old key from the key store: ${leftBehind}`)
    return changed(ctx, name, { done: `Moved the key for profile ${name}` })
  },
})
