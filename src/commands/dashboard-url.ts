import { defineCommand } from '../command/define-command.ts'
import { disabledSections, languages } from '../contract/values.ts'
import { deliver, linkOptions } from './deliver.ts'
import { eitherId } from './who.ts'

export default defineCommand({
  user: 'either',
  options: [
    ['--language <code>', 'language of the dashboard; the user’s own where absent', { choices: languages }],
    ['--disable <sections>', 'sections to leave out', { choices: disabledSections, many: true }],
    ...linkOptions,
  ],
  description: 'The link works once: make a new one for every visit.',
  examples: [
    'facescan dashboard-url --external-user-id 4711',
    'facescan dashboard-url --external-user-id 4711 --qr',
    'facescan dashboard-url --external-user-id 4711 --disable recommendations,todos',
  ],
  async run(ctx, _args, options) {
    const api = await ctx.api()
    const body = { language: options.language, disabled_sections: options.disable }
    const url = await api.dashboardUrl({ user: eitherId(options), body })
    await deliver(ctx, { url }, options)
    ctx.note('the link works once')
  },
})
