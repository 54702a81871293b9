import { defineCommand } from '../framework/define-command.ts'
import { topicNames } from '../framework/help-topics.ts'
import { restArgument } from '../framework/options.ts'
import { renderPage } from '../output/render-page.ts'

export default defineCommand({
  output: async () => (await import('../output/page.ts')).helpPage,
  view: {
    draw: renderPage,
    columns: [
      { key: 'name', title: 'Name' },
      { key: 'summary', title: 'Summary' },
      { key: 'sections', title: 'Sections' },
    ],
  },
  args: { topic: restArgument('[topic...]', 'command or topic', String, { choices: topicNames }) },
  examples: ['facescan help users create', 'facescan help exit-codes'],
  run: (ctx, { topic }) => ctx.program.page(topic),
})
