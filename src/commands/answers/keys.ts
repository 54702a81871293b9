import { defineCommand } from '../../framework/define-command.ts'
import { limitOf, limitOptions } from '../../framework/limit.ts'

export default defineCommand({
  output: 'questions.all',
  view: {
    columns: [{ key: 'lookup_key', title: 'Lookup key', value: (key) => key, whole: true }],
    empty: 'no questions are defined in the service',
  },
  options: limitOptions('keys'),
  examples: ['facescan answers keys', 'facescan answers keys --json'],
  async run(ctx, options) {
    const api = await ctx.api()
    return (await api.questions.all()).slice(0, limitOf(options))
  },
})
