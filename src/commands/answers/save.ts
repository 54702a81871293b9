import { ServiceError } from '../../base/errors.ts'
import { defineCommand } from '../../command/define-command.ts'
import { argument, flag } from '../../command/options.ts'
import { outcome } from '../../command/outcome.ts'
import { nameUser, type UserId } from '../../command/user.ts'
import { integer, nonEmpty, timeZone, timeZones } from '../../command/values.ts'
import { lookupKeys } from '../../contract/values.ts'
import type { Api } from '../../http/client.ts'
import { markSave } from '../importing/answer-writer.ts'
import { suggestValue } from '../suggest-value.ts'

export default defineCommand({
  user: 'token',
  output: 'questions.answer',
  calls: ['questions.answer', 'questions.answerMany'],
  effect: 'change',
  columns: [
    { key: 'lookup_key', title: 'Lookup key' },
    { key: 'value', title: 'Value' },
    { key: 'user_id', title: 'User ID', whole: true },
  ],
  args: {
    lookupKey: argument('<lookup-key>', 'lookup key of the question', nonEmpty, lookupKeys),
    value: argument('<value>', 'answer (whole number)', integer),
  },
  options: {
    timezone: flag('--timezone <zone>', 'IANA time zone of the answer', timeZone, {
      required: true,
      suggestions: timeZones,
    }),
  },
  examples: [
    'facescan answers save average_sleep_hours 4 --external-user-id 4711 --timezone Europe/Amsterdam',
  ],
  async run(ctx, { lookupKey: lookup_key, value, timezone, user }) {
    const api = await ctx.api()
    const save = () => saveAnswer(api, user, { lookup_key, value, timezone })
    const saved = await markSave(ctx, user, save).catch((error: unknown) => {
      throw suggestValue(error, {
        kind: 'lookup key',
        text: lookup_key,
        known: lookupKeys,
        hint: 'List all keys: facescan answers keys',
      })
    })
    const owner = user === undefined ? 'the user identified by the action token' : `user ${nameUser(user)}`
    return outcome(saved, { done: `Saved ${lookup_key} ${value} for ${owner}` })
  },
})

interface Answer {
  lookup_key: string
  value: number
  timezone: string
}

/** Only the endpoint for several answers accepts an action token (spec 4.5). The token implies the user. */
async function saveAnswer(api: Api, user: UserId | undefined, answer: Answer) {
  if (user !== undefined) return api.questions.answer({ user, body: answer })
  const [saved] = await api.questions.answerMany({ body: [answer] })
  if (saved !== undefined) return saved
  throw new ServiceError('server', 'the response does not contain the saved answer')
}
