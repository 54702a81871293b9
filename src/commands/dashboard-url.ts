import { didYouMean } from '../base/nearest.ts'
import { disabledSections, languageNames, languages } from '../contract/values.ts'
import { defineCommand } from '../framework/define-command.ts'
import { flag } from '../framework/options.ts'
import { oneNamed } from '../framework/values.ts'
import { deliver, linkOptions, linkView, printedSchema } from './deliver.ts'

export default defineCommand({
  user: 'either',
  many: {
    isSecret: true,
    rowFlags: ['language', 'disable'],
    excludes: ['open', 'copy', 'qr', 'qrFile'],
  },
  view: linkView,
  output: () => printedSchema('url'),
  calls: ['dashboardUrl'],
  options: {
    language: flag('--language <code>', 'language of the dashboard', oneNamed(languages, languageNames), {
      remark: 'default: the user’s language',
    }),
    disable: flag('--disable <sections>', 'sections to omit', String, {
      choices: disabledSections,
      many: true,
    }),
    ...linkOptions,
  },
  description: 'The link can be used once. For another visit, create another link.',
  examples: [
    'facescan dashboard-url 4711 --qr',
    'facescan dashboard-url 4711 --disable recommendations,todos',
  ],
  async run(ctx, { user, language, disable: disabled_sections, ...delivery }) {
    const known: readonly string[] = disabledSections
    for (const name of disabled_sections.filter((section) => !known.includes(section)))
      ctx.warn(`"${name}" is sent unchanged, but is not a known dashboard section${didYouMean(name, known)}`)
    const api = await ctx.api()
    const create = () => api.dashboardUrl({ user, body: { language, disabled_sections } })
    return deliver(ctx, 'url', create, delivery, { remarks: ['the link can be used once'] })
  },
})
