import { FacescanError } from '../../base/errors.ts'
import type { ReplyOf } from '../../contract/index.ts'
import { commandResult } from '../../framework/command-result.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { cutEvents, eventOptions } from '../../framework/limit.ts'
import { flag } from '../../framework/options.ts'
import { nonEmpty } from '../../framework/values.ts'
import { epochMsOf } from '../../output/time.ts'
import { readPages } from './read-pages.ts'

type Answered = ReplyOf<'questions.answered'>['items'][number]

export default defineCommand({
  user: 'external',
  many: { rowFlags: ['limit'] },
  output: async () => (await import('./schema.ts')).answers,
  failures: ['list_failed'],
  calls: ['questions.answered'],
  view: {
    subject: 'Answers',
    columns: [
      { key: 'question_lookup_key', title: 'Lookup key' },
      { key: 'answer', title: 'Answer', align: 'right' },
      { key: 'score', title: 'Score', align: 'right' },
      { key: 'local_timestamp', title: 'Answered', time: true },
      { key: 'health_scan_id', title: 'Health scan ID', only: 'machines' },
    ],
    empty: 'no answers; to save an answer, see: facescan answers save --help',
  },
  options: {
    ...eventOptions('answers'),
    pageParameter: flag('--page-parameter <name>', 'query parameter for the page number', nonEmpty, {
      default: 'page',
    }),
  },
  description: 'Lists the newest answers first. For questions without an answer, see `facescan overview`.',
  examples: ['facescan answers list 4711', 'facescan answers list 4711 --all -o csv'],
  async run(ctx, { pageParameter, user, ...options }) {
    const api = await ctx.api()
    const read = (page: number) => api.questions.answered({ user, query: { [pageParameter]: page } })
    // The specification does not define the order of answers. The newest answers can be on any page, so all pages are read.
    const { items, problem } = await readPages(read, pageParameter)
    const { value, cut } = cutEvents(items.toSorted(newestFirst), options, 'answer')
    return commandResult(value, { cut, error: problem === undefined ? undefined : incomplete(problem) })
  },
})

function incomplete(problem: string): FacescanError {
  return new FacescanError('list_failed', `the list is incomplete: ${problem}`, {
    hint: 'If the service uses another parameter for the page number, pass its name with --page-parameter.',
  })
}

function newestFirst(a: Answered, b: Answered): number {
  return (epochMsOf(b.local_timestamp) ?? 0) - (epochMsOf(a.local_timestamp) ?? 0)
}
