import { defineCommand } from '../../command/define-command.ts'
import { outcome } from '../../command/outcome.ts'
import { nonEmpty, positiveInteger } from '../../command/values.ts'
import type { ListView } from '../../output/view.ts'
import { readAllPages } from './pages.ts'

interface Answered {
  question_lookup_key: string
  answer: number
  score?: number | null | undefined
  health_scan_id?: string | null | undefined
  local_timestamp: string
}

const view: ListView<readonly Answered[], Answered> = {
  kind: 'list',
  rows: (items) => items,
  columns: [
    { key: 'question_lookup_key', title: 'Question' },
    { key: 'answer', title: 'Answer', align: 'right' },
    { key: 'score', title: 'Score', align: 'right' },
    { key: 'local_timestamp', title: 'Answered', time: true },
    { key: 'health_scan_id', title: 'Health scan ID', only: 'machines' },
  ],
  empty:
    'this user has answered nothing yet; save one with: facescan answers save KEY VALUE --external-user-id ID --timezone ZONE',
}

export default defineCommand({
  user: 'external',
  many: {},
  output: async () => (await import('./schema.ts')).answers,
  calls: ['questions.answered'],
  view,
  options: [
    ['--page <n>', 'page to show', { parse: positiveInteger, default: 1 }],
    ['--all', 'all pages'],
    [
      '--page-parameter <name>',
      'query parameter that selects the page',
      { parse: nonEmpty, default: 'page' },
    ],
  ],
  examples: ['facescan answers list 4711', 'facescan answers list 4711 --all -o csv'],
  async run(ctx, { page, all, pageParameter, user }) {
    const api = await ctx.api()
    const read = (selected: number | string) =>
      api.questions.answered({ user, query: { [pageParameter]: selected } })
    if (all) return readAllPages(ctx, read)
    const { items, pagination } = await read(page)
    const { page: shown, total_pages, total_items } = pagination
    const isCut = total_pages > shown
    const note = `page ${shown} of ${total_pages} (${total_items} answers); all of them: --all`
    return outcome(items, { notes: isCut ? [note] : [] })
  },
})
