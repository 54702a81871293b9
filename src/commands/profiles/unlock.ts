import { dayMs, span } from '../../base/clock.ts'
import { UsageError } from '../../base/errors.ts'
import { keysIn } from '../../base/mask.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { flag } from '../../framework/options.ts'
import { duration } from '../../framework/values.ts'
import { checkUnlock, unlockProfile } from '../../profiles/edit-profiles.ts'
import { guardProfile } from '../../profiles/guard-profile.ts'
import { changed, editsProfile } from './edits-profile.ts'

export default defineCommand({
  ...editsProfile,
  prompts: { profile: { check: checkUnlock } },
  options: {
    for: flag('--for <duration>', 'duration, such as 15m', unlockDuration, {
      required: true,
      remark: 'maximum 24h',
    }),
    reason: flag('--reason <text>', 'reason for the audit log, without personal data', reason, {
      required: true,
    }),
  },
  description:
    'Allows changes with a read-only profile for a limited time. Each change still needs confirmation and is logged with the reason.',
  examples: ['facescan profiles unlock ACME --for 15m --reason "ticket 815" --confirm=ACME'],
  async run(ctx, { profile: name, for: forMs, reason }) {
    await checkUnlock(ctx, name)
    await guardProfile(name, `unlock profile ${name} for ${span(forMs / 1_000)}`, ctx, { weakens: true })
    await unlockProfile(ctx, name, { until: ctx.clock.now() + forMs, reason })
    return changed(ctx, name, { done: `Unlocked profile ${name}` })
  },
})

function unlockDuration(text: string): number {
  const ms = duration(text)
  if (ms <= dayMs) return ms
  throw new UsageError(`"${text}" is longer than 24h`)
}

function reason(text: string): string {
  if (keysIn(text).length > 0) throw new UsageError('must not contain a key or token')
  if (/^[^\x00-\x1f\x7f]{1,200}$/.test(text.trim())) return text.trim()
  throw new UsageError('must be one line of at most 200 characters')
}
