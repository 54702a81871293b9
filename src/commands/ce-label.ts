import { UsageError } from '../base/errors.ts'
import { alreadyPrinted } from '../framework/command-result.ts'
import { defineCommand } from '../framework/define-command.ts'
import { flag } from '../framework/options.ts'
import { pngFile } from '../framework/values.ts'
import { isForPeople } from '../output/settings.ts'
import { write } from '../output/write.ts'
import { prepareFile } from './save-file.ts'

export default defineCommand({
  // The JSON output of `ce-label`. Either `file` or `base64` is set.
  output: async () => {
    const z = await import('zod/mini')
    const text = z.nullable(z.string())
    return z.strictObject({ content_type: z.literal('image/png'), bytes: z.int(), file: text, base64: text })
  },
  calls: ['ceLabel'],
  view: {
    columns: [
      { key: 'file', title: 'File', whole: true },
      { key: 'content_type', title: 'Type' },
      { key: 'bytes', title: 'Bytes' },
      { key: 'base64', title: 'Content', only: 'machines' },
    ],
  },
  options: { out: flag('--out <file>', 'write the PNG image to this file', pngFile) },
  description:
    'To save the PNG image, pass --out or redirect the output. JSON output contains the image in base64.',
  examples: [
    'facescan ce-label --out ce-label.png',
    'facescan ce-label > ce-label.png',
    'facescan ce-label --json=bytes',
  ],
  async run(ctx, { out }) {
    const save = out === undefined ? undefined : await prepareFile(ctx, out)
    const api = await ctx.api()
    const png = await api.ceLabel()
    const facts = { content_type: 'image/png', bytes: png.length, file: out ?? null } as const
    if (save) {
      await save(png)
      return { ...facts, base64: null }
    }
    if (!isForPeople(ctx.settings)) return { ...facts, base64: Buffer.from(png).toString('base64') }
    if (ctx.io.stdout.isTTY) {
      throw new UsageError('the CE label is a PNG image and cannot be shown in a terminal', {
        hint: 'Save the image: facescan ce-label --out ce-label.png',
      })
    }
    await write(ctx.io.stdout, png)
    return alreadyPrinted
  },
})
