import { defineCommand } from '../../command/define-command.ts'
import { accepts } from '../../command/interview-words.ts'
import { integer, nonEmpty, timeZone } from '../../command/values.ts'
import { lookupKeys } from '../../contract/values.ts'
import type { RecordView } from '../../output/view.ts'

const view: RecordView<{ lookup_key: string; value: number; user_id: string }> = {
  kind: 'record',
  columns: [
    { key: 'lookup_key', title: 'Lookup key' },
    { key: 'value', title: 'Value' },
    { key: 'user_id', title: 'User id', whole: true },
  ],
}

/** This machine's zone first; UTC is not among the names that Node 20 lists. */
function timeZones(): string[] {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  return [...new Set([here, 'UTC', ...Intl.supportedValuesOf('timeZone')])]
}

export default defineCommand({
  user: 'either',
  output: 'questions.answer',
  effect: 'change',
  view,
  args: [
    ['<lookup-key>', 'the question', nonEmpty, lookupKeys],
    ['<value>', 'a whole number', integer],
  ],
  options: [['--timezone <zone>', 'IANA time zone of the answer', { required: true, parse: timeZone }]],
  examples: [
    'facescan answers save average_sleep_hours 4 --external-user-id 4711 --timezone Europe/Amsterdam',
  ],
  async interview(ask) {
    const id = await ask.text('Your own id of the user', { validate: accepts(nonEmpty) })
    const key = await ask.select(
      'Question',
      lookupKeys.map((name) => ({ name, value: name })),
    )
    const value = await ask.text('Answer, a whole number', { validate: accepts(integer) })
    const zone = await ask.select(
      'Time zone',
      timeZones().map((name) => ({ name, value: name })),
    )
    return [key, value.trim(), '--external-user-id', id.trim(), '--timezone', zone]
  },
  async run(ctx, { lookupKey: lookup_key, value, timezone, user }) {
    const api = await ctx.api()
    return api.questions.answer({ user, body: { lookup_key, value, timezone } })
  },
})
