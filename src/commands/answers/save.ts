import { ServiceError, UsageError } from '../../base/errors.ts'
import { lookupKeys } from '../../contract/values.ts'
import { commandResult } from '../../framework/command-result.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { flag, restArgument } from '../../framework/options.ts'
import { shownUser, type UserId } from '../../framework/user.ts'
import { isInteger, timeZone, timeZones } from '../../framework/values.ts'
import type { Api } from '../../http/client.ts'
import { markSave } from '../mark-save.ts'
import { suggestValue } from '../suggest-value.ts'

interface AnswerArgument {
  lookup_key: string
  value: number
}

function isAnswer(text: string): boolean {
  return text.includes('=')
}

function answer(text: string): AnswerArgument {
  const at = text.lastIndexOf('=')
  if (at < 1) throw new UsageError(`"${text}" is not an answer (use lookup-key=value, such as weight=72)`)
  const [lookup_key, value] = [text.slice(0, at), text.slice(at + 1)]
  if (!isInteger(value)) throw new UsageError(`${lookup_key} must be a whole number, got "${value}"`)
  return { lookup_key, value: Number(value) }
}

export default defineCommand({
  user: 'token',
  output: 'questions.answerMany',
  calls: ['questions.answer', 'questions.answerMany'],
  effect: 'change',
  view: {
    columns: [
      { key: 'lookup_key', title: 'Lookup key' },
      { key: 'value', title: 'Value' },
      { key: 'user_id', title: 'User ID', whole: true },
    ],
    empty: 'no answers were saved',
  },
  args: {
    answers: restArgument('<lookup-key=value...>', 'answers (whole numbers), such as weight=72', answer, {
      isNeverUser: isAnswer,
    }),
  },
  options: {
    timezone: flag('--timezone <zone>', 'IANA time zone of the answers', timeZone, {
      required: true,
      suggestions: timeZones,
    }),
  },
  description:
    'To list the lookup keys, run `facescan answers keys`. Several answers are saved with one request.',
  examples: [
    'facescan answers save 4711 average_sleep_hours=4 --timezone Europe/Amsterdam',
    'facescan answers save 4711 weight=72 height=181 --timezone Europe/Amsterdam',
  ],
  /** Corrects arguments from version 0.1, such as `answers save weight 70 --external-user-id 4711`. The user is now the first argument. */
  moved: (words) => {
    const [user, ...others] = words.filter((word) => !isAnswer(word))
    if (user !== undefined && others.length === 0 && words.length > 1 && words[0] !== user)
      return [user, ...words.filter(isAnswer)]
    const [at] = words.flatMap((word, index) => (index > 0 && /^-?\d+$/.test(word) ? [index] : []))
    if (at === undefined || words.length > 3 || words.some(isAnswer)) return undefined
    return [...words.toSpliced(at - 1, 2), `${words[at - 1]}=${words[at]}`]
  },
  check: ({ answers = [] }) => {
    // An invalid answer is undefined in this list. It already has its own error, so it is skipped.
    const keys = answers.flatMap((one: AnswerArgument | undefined) => one?.lookup_key ?? [])
    const repeated = keys.filter((key, at) => keys.indexOf(key) !== at)
    return [...new Set(repeated)].map((key) => `${key} has several values; pass one value`)
  },
  async run(ctx, { answers, timezone, user }) {
    const api = await ctx.api()
    const body = answers.map((one) => ({ ...one, timezone }))
    const saved = await markSave(ctx, user, () => saveAnswers(api, user, body)).catch((error: unknown) => {
      throw answers.reduce(explainKey, error)
    })
    const owner = user === undefined ? 'the user identified by the action token' : `user ${shownUser(user)}`
    const what = answers.map(({ lookup_key, value }) => `${lookup_key} ${value}`).join(', ')
    return commandResult(saved, { done: `Saved ${what} for ${owner}` })
  },
})

/** Adds a suggestion to the error about a rejected lookup key. */
function explainKey(error: unknown, { lookup_key: text }: AnswerArgument): unknown {
  const hint = 'List all keys: facescan answers keys'
  return suggestValue(error, { kind: 'lookup key', text, known: lookupKeys, hint })
}

/** Saves the answers. An action token needs the endpoint for several answers, because the other endpoint accepts no token (spec 4.5). */
async function saveAnswers(
  api: Api,
  user: UserId | undefined,
  body: (AnswerArgument & { timezone: string })[],
) {
  const [only, ...others] = body
  if (user !== undefined && only && others.length === 0)
    return [await api.questions.answer({ user, body: only })]
  const saved = await api.questions.answerMany({ ...(user && { user }), body })
  if (saved.length === body.length) return saved
  throw new ServiceError('server', 'the response does not contain all saved answers')
}
