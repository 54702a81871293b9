import { commandResult } from '../../framework/command-result.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { argument } from '../../framework/options.ts'
import { removeProfile } from '../../profiles/edit-profiles.ts'
import { guardProfile } from '../../profiles/guard-profile.ts'
import { requireProfile, stores } from '../../profiles/profile.ts'
import { readProfiles } from '../../profiles/profile-file.ts'
import { editsProfile } from './edits-profile.ts'

export default defineCommand({
  output: async () => (await import('../../profiles/list-profiles.ts')).removedProfile,
  view: {
    columns: [
      { key: 'name', title: 'Profile', whole: true },
      { key: 'removed', title: 'Removed', cell: () => 'profile and key' },
    ],
  },
  localEffect: 'destroy',
  args: { profile: argument('<profile>', 'profile name') },
  description: 'Removes the profile and its key from this machine. The service still accepts the key.',
  examples: ['facescan profiles remove ACME-DEV --yes', 'facescan profiles remove ACME --confirm=ACME'],
  prompts: editsProfile.prompts,
  async run(ctx, { profile: name }) {
    const { fingerprint, store } = requireProfile(await readProfiles(ctx.paths), name)
    const isKeyStored = stores[store].keepsKey && fingerprint
    const key = isKeyStored ? ` and its key ${fingerprint}` : ''
    await guardProfile(name, `remove profile ${name}${key} from this machine`, ctx)
    const leftBehind = await removeProfile(ctx, name)
    if (leftBehind) ctx.warn(`could not remove the key from the key store: ${leftBehind}`)
    return commandResult({ name, removed: true } as const, {
      done: `Removed profile ${name}${isKeyStored && !leftBehind ? ' and its key' : ''}`,
      brief: true,
    })
  },
})
