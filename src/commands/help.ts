import { defineCommand } from '../framework/define-command.ts'
import { topicNames } from '../framework/help-topics.ts'
import { restArgument } from '../framework/options.ts'
import type { HelpPage } from '../output/page.ts'
import { renderPage } from '../output/render-page.ts'
import type { RecordView } from '../output/view.ts'

const view: RecordView<HelpPage> = {
  draw: renderPage,
  columns: [
    { key: 'name', title: 'Name' },
    { key: 'summary', title: 'Summary' },
    { key: 'sections', title: 'Sections' },
  ],
}

export default defineCommand({
  output: async () => (await import('../output/page.ts')).helpPage,
  view,
  args: { topic: restArgument('[topic...]', 'command or topic', String, { choices: topicNames }) },
  examples: ['facescan help users create', 'facescan help exit-codes'],
  run: (ctx, { topic }) => ctx.program.page(topic),
})
