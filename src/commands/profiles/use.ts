import { defineCommand } from '../../framework/define-command.ts'
import { useProfile } from '../../profiles/edit-profiles.ts'
import { environmentOf } from '../../profiles/profile.ts'
import { changed, editsProfile, offersProfiles } from './edits-profile.ts'

export default defineCommand({
  ...editsProfile,
  prompts: { profile: { ...editsProfile.prompts.profile, ...offersProfiles } },
  description: 'Sets the default profile, which commands use unless another profile is selected.',
  examples: ['facescan profiles use SANDBOX-DEV'],
  async run(ctx, { profile: name }) {
    await useProfile(ctx, name)
    if (environmentOf(name) === 'production')
      ctx.warn(`commands without --profile now use production (${name})`)
    const variable = ctx.env['FACESCAN_PROFILE']
    if (variable && variable !== name) {
      ctx.warn(`FACESCAN_PROFILE=${variable} overrides the default profile; unset it: unset FACESCAN_PROFILE`)
    }
    return changed(ctx, name, { done: `Default profile is now ${name}` })
  },
})
