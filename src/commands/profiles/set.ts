import { UsageError } from '../../base/errors.ts'
import { defineCommand } from '../../command/define-command.ts'
import { flag } from '../../command/options.ts'
import { nonEmpty, oneOf } from '../../command/values.ts'
import { baseUrlFlag } from '../../http/base-url.ts'
import { setProfile } from '../../profiles/edit-profiles.ts'
import { guardProfile } from '../../profiles/guard.ts'
import { assertNoKey } from '../../profiles/key-command.ts'
import { showProfile } from '../../profiles/list-profiles.ts'
import { protections } from '../../profiles/profile.ts'
import { agreeOnBaseUrl, changed, editsProfile } from './edits-profile.ts'

export default defineCommand({
  ...editsProfile,
  options: {
    protect: flag(
      '--protect <level>',
      'commands that change data: refuse all, confirm each, or allow all',
      oneOf(protections),
    ),
    baseUrl: flag('--base-url <url>', 'base URL of the service', baseUrlFlag),
    keyCommand: flag('--key-command <command>', 'command that prints the key', nonEmpty),
    auditCommand: flag(
      '--audit-command <command>',
      'command that receives each audit log entry as a line (empty: remove)',
      (text) => text.trim(),
    ),
    reference: flag(
      '--reference <state>',
      'show facescan’s own reference values for zones and directions',
      oneOf(['on', 'off']),
    ),
  },
  description:
    'New production profiles default to --protect confirm. The service does not define zones (ranges of values) for biomarkers, or whether a higher metric is better. ' +
    'With --reference on, facescan shows its own reference values, which are not medical advice.',
  examples: [
    'facescan profiles set ACME --protect read-only',
    'facescan profiles set ACME-DEV --reference on',
    "facescan profiles set ACME --audit-command 'logger -t facescan'",
    'facescan profiles set ACME-DEV --base-url https://api.example.com',
  ],
  async run(ctx, { profile: name, protect, baseUrl, keyCommand, auditCommand, reference }) {
    if ((protect ?? baseUrl ?? keyCommand ?? auditCommand ?? reference) === undefined) {
      throw new UsageError(
        'nothing to change; pass at least one of --protect, --base-url, --key-command, --audit-command, or --reference',
        { hint: 'See: facescan profiles set --help' },
      )
    }
    for (const command of [keyCommand, auditCommand]) if (command) assertNoKey(command)
    const before = await showProfile(ctx.paths, name, ctx.clock.now())
    if (protect && protections.indexOf(protect) > protections.indexOf(before.protect)) {
      await guardProfile(name, `lower the protection for ${name} from ${before.protect} to ${protect}`, ctx, {
        weakens: true,
      })
    }
    if (baseUrl !== undefined) await agreeOnBaseUrl(ctx, before, baseUrl)
    await setProfile(ctx, name, {
      protect,
      baseUrl,
      keyCommand,
      auditCommand,
      ...(reference && { reference: reference === 'on' }),
    })
    return changed(ctx, name, { done: `Updated profile ${name}` })
  },
})
