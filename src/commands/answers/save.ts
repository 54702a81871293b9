import { ServiceError } from '../../base/errors.ts'
import { nearest } from '../../base/nearest.ts'
import { defineCommand } from '../../command/define-command.ts'
import { outcome } from '../../command/outcome.ts'
import { nameUser } from '../../command/user.ts'
import { integer, nonEmpty, timeZone } from '../../command/values.ts'
import { lookupKeys } from '../../contract/values.ts'
import type { RecordView } from '../../output/view.ts'
import { markSave } from '../importing/answer-writer.ts'

const view: RecordView<{ lookup_key: string; value: number; user_id: string }> = {
  kind: 'record',
  columns: [
    { key: 'lookup_key', title: 'Lookup key' },
    { key: 'value', title: 'Value' },
    { key: 'user_id', title: 'User ID', whole: true },
  ],
}

/** UTC is missing from the list of Node 20. */
function timeZones(): string[] {
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]
}

export default defineCommand({
  user: 'either',
  output: 'questions.answer',
  effect: 'change',
  view,
  args: [
    ['<lookup-key>', 'lookup key of the question', nonEmpty, lookupKeys],
    ['<value>', 'answer (whole number)', integer],
  ],
  options: [
    [
      '--timezone <zone>',
      'IANA time zone of the answer',
      { required: true, parse: timeZone, suggestions: timeZones },
    ],
  ],
  examples: [
    'facescan answers save average_sleep_hours 4 --external-user-id 4711 --timezone Europe/Amsterdam',
  ],
  async run(ctx, { lookupKey: lookup_key, value, timezone, user }) {
    const api = await ctx.api()
    const save = () => api.questions.answer({ user, body: { lookup_key, value, timezone } })
    const saved = await markSave(ctx, user, save).catch((error: unknown) => {
      throw suggestKey(error, lookup_key)
    })
    return outcome(saved, { done: `Saved ${lookup_key} ${value} for user ${nameUser(user)}` })
  },
})

/** The service decides which lookup keys exist; this program knows only those of the specification. */
function suggestKey(error: unknown, key: string): unknown {
  const meant = (lookupKeys as readonly string[]).includes(key) ? undefined : nearest(key, lookupKeys)
  if (!(error instanceof ServiceError) || error.code !== 'rejected' || meant === undefined) return error
  return new ServiceError('rejected', `unknown lookup key "${key}"; did you mean "${meant}"?`, {
    ...error.details,
    hint: 'List all keys: facescan answers keys',
  })
}
