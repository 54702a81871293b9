import { defineCommand } from '../../command/define-command.ts'
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
    return markSave(ctx, user, save)
  },
})
