import { defineCommand } from '../command/define-command.ts'
import { disabledSections, languages } from '../contract/values.ts'
import { deliver, linkOptions } from './deliver.ts'

export default defineCommand({
  user: 'either',
  output: async () => (await import('./link-schema.ts')).linkOutput,
  calls: ['dashboardUrl'],
  options: [
    ['--language <code>', 'language of the dashboard; the user’s own where absent', { choices: languages }],
    ['--disable <sections>', 'sections to leave out', { choices: disabledSections, many: true }],
    ...linkOptions,
  ],
  description: 'The link works once: make a new one for every visit.',
  examples: [
    'facescan dashboard-url 4711',
    'facescan dashboard-url 4711 --qr',
    'facescan dashboard-url 4711 --disable recommendations,todos',
  ],
  async run(ctx, { user, language, disable: disabled_sections, ...delivery }) {
    const api = await ctx.api()
    const url = await api.dashboardUrl({ user, body: { language, disabled_sections } })
    return deliver(ctx, { url }, delivery, ['the link works once'])
  },
})
