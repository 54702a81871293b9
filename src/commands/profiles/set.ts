import { defineCommand } from '../../command/define-command.ts'
import { outcome } from '../../command/outcome.ts'
import { baseUrlFlag } from '../../http/base-url.ts'
import { setProfile } from '../../profiles/edit-profiles.ts'
import { assertNoKey } from '../../profiles/key-command.ts'
import { showProfile } from '../../profiles/list-profiles.ts'
import { protections } from '../../profiles/profile.ts'
import { agreeOnBaseUrl, agreeOnProfile } from './agree.ts'
import { profileView } from './view.ts'

export default defineCommand({
  output: async () => (await import('./schema.ts')).profile,
  view: profileView,
  localEffect: 'change',
  args: [['<profile>', 'profile name']],
  options: [
    [
      '--protect <level>',
      'protection from changes: refuse all, confirm each, or none',
      { choices: protections },
    ],
    ['--base-url <url>', 'base URL of the service', { parse: baseUrlFlag }],
    ['--key-command <command>', 'program that prints the key'],
    ['--reference <on|off>', 'show zones and directions of this tool', { choices: ['on', 'off'] }],
  ],
  description:
    'Production profiles start with --protect confirm. The service defines no zones and no directions for biomarkers and metrics. ' +
    'With --reference on, this tool shows its own reference values for them. They are not medical advice.',
  examples: [
    'facescan profiles set ACME --protect read-only',
    'facescan profiles set ACME-DEV --reference on',
    'facescan profiles set ACME-DEV --base-url https://api.example.com',
  ],
  check: ({ protect, baseUrl, keyCommand, reference }) =>
    (protect ?? baseUrl ?? keyCommand ?? reference)
      ? []
      : ['nothing to set; pass --protect, --base-url, --key-command, or --reference'],
  async run(ctx, { profile: name, protect, baseUrl, keyCommand, reference }) {
    if (keyCommand) assertNoKey(keyCommand)
    const before = await showProfile(ctx.paths, name, ctx.clock.now())
    if (protect && protections.indexOf(protect) > protections.indexOf(before.protect)) {
      await agreeOnProfile(ctx, name, `Lower the protection of ${name} from ${before.protect} to ${protect}?`)
    }
    if (baseUrl !== undefined) await agreeOnBaseUrl(ctx, before, baseUrl)
    await setProfile(ctx, name, {
      protect,
      baseUrl,
      keyCommand,
      ...(reference && { reference: reference === 'on' }),
    })
    const shown = await showProfile(ctx.paths, name, ctx.clock.now())
    return outcome(shown, { done: `Changed profile ${name}` })
  },
})
