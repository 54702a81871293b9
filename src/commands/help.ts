import { defineCommand } from '../command.ts'
import type { HelpPage } from '../help/document.ts'
import { renderPage } from '../help/terminal.ts'
import { topicNames } from '../help/topic-names.ts'
import type { DrawnView } from '../output/view.ts'

const view: DrawnView<HelpPage> = {
  kind: 'drawn',
  draw: renderPage,
  data: {
    kind: 'record',
    columns: [
      { key: 'name', title: 'Name' },
      { key: 'summary', title: 'Summary' },
      { key: 'sections', title: 'Sections' },
    ],
  },
}

export default defineCommand({
  args: [['[topic...]', 'the words of a command, or a topic', undefined, topicNames]],
  examples: ['facescan help users create', 'facescan help exit-codes'],
  async run(ctx, [words]) {
    await ctx.print(await ctx.manual.page(words), view)
  },
})
