import { defineCommand } from '../command.ts'
import { languages } from '../contract/values.ts'
import { zonelessDateTime } from '../values.ts'
import { deliver, linkOptions } from './deliver.ts'
import { eitherId } from './who.ts'

export default defineCommand({
  user: 'either',
  options: [
    ['--language <code>', 'language of the scan page; the user’s own where absent', { choices: languages }],
    ['--expire-at <time>', 'when the link stops working, without a zone', { parse: zonelessDateTime }],
    ...linkOptions,
  ],
  description: 'Use the link as a whole: neither its host nor its token stays the same.',
  examples: [
    'facescan scan-url --external-user-id 4711',
    'facescan scan-url --external-user-id 4711 --qr',
    'facescan scan-url --external-user-id 4711 --language fr | pbcopy',
  ],
  async run(ctx, _args, options) {
    const api = await ctx.api()
    const query = { language: options.language, expire_at: options.expireAt }
    const url = await api.scanUrl({ user: eitherId(options), query })
    await deliver(ctx, { url }, options)
  },
})
