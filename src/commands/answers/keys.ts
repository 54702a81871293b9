import { defineCommand } from '../../command/define-command.ts'
import type { ListView } from '../../output/view.ts'

const view: ListView<readonly string[], string> = {
  kind: 'list',
  rows: (keys) => keys,
  columns: [{ key: 'lookup_key', title: 'Lookup key', value: (key) => key, whole: true }],
  empty: 'the service has no questions',
}

export default defineCommand({
  output: 'questions.all',
  view,
  examples: ['facescan answers keys', 'facescan answers keys --json'],
  run: async (ctx) => (await ctx.api()).questions.all(),
})
