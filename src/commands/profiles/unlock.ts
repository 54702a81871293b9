import { UsageError } from '../../base/errors.ts'
import { defineCommand } from '../../command/define-command.ts'
import { duration } from '../../command/values.ts'
import { unlockProfile } from '../../profiles/edit-profiles.ts'
import { showProfile } from '../../profiles/list-profiles.ts'
import { profileView } from './view.ts'

const longestMs = 24 * 60 * 60 * 1_000

export default defineCommand({
  output: async () => (await import('./schema.ts')).profile,
  view: profileView,
  localEffect: 'change',
  args: [['<profile>', 'the profile']],
  options: [
    ['--for <duration>', 'how long, such as 15m; at most 24h', { required: true, parse: unlockDuration }],
    [
      '--reason <text>',
      'why, without personal data; the audit log repeats it',
      { required: true, parse: reason },
    ],
  ],
  description:
    'Lets changes through a read-only profile for a while. Each one still asks first, and each one is logged with the reason.',
  examples: ['facescan profiles unlock ACME --for 15m --reason "ticket 815"'],
  async run(ctx, { profile: name, for: forMs, reason }) {
    await unlockProfile(ctx, name, { until: ctx.clock.now() + forMs, reason })
    return showProfile(ctx.paths, name, ctx.clock.now())
  },
})

function unlockDuration(text: string): number {
  const ms = duration(text)
  if (ms <= longestMs) return ms
  throw new UsageError(`"${text}" is longer than 24h`)
}

function reason(text: string): string {
  if (/^[^\x00-\x1f\x7f]{1,200}$/.test(text.trim())) return text.trim()
  throw new UsageError('takes one line of at most 200 characters')
}
