import { defineCommand } from '../../command.ts'
import { lookupKeys } from '../../contract/values.ts'
import type { RecordView } from '../../output/view.ts'
import { integer, nonEmpty, timeZone } from '../../values.ts'
import { eitherId } from '../who.ts'

const view: RecordView<{ lookup_key: string; value: number; user_id: string }> = {
  kind: 'record',
  columns: [
    { key: 'lookup_key', title: 'Lookup key' },
    { key: 'value', title: 'Value' },
    { key: 'user_id', title: 'User id', whole: true },
  ],
}

/** The value stays text here: commands get their arguments as they were written. */
function wholeNumberText(text: string): string {
  return String(integer(text))
}

export default defineCommand({
  effect: 'change',
  view,
  user: 'either',
  args: [
    ['<lookup-key>', 'the question', nonEmpty, lookupKeys],
    ['<value>', 'a whole number', wholeNumberText],
  ],
  options: [['--timezone <zone>', 'IANA time zone of the answer', { required: true, parse: timeZone }]],
  examples: [
    'facescan answers save average_sleep_hours 4 --external-user-id 4711 --timezone Europe/Amsterdam',
  ],
  async run(ctx, [lookup_key, value], { timezone, ...who }) {
    const api = await ctx.api()
    const body = { lookup_key, value: integer(value), timezone }
    await ctx.print(await api.questions.answer({ user: eitherId(who), body }), view)
  },
})
