import { writeFile } from 'node:fs/promises'
import type * as z from 'zod'
import { ConfigurationError, UsageError } from '../base/errors.ts'
import { systemReason } from '../base/system/system-code.ts'
import { defineCommand } from '../command/define-command.ts'
import { alreadyPrinted } from '../command/outcome.ts'
import type { RecordView } from '../output/view.ts'
import type { image } from './image-schema.ts'

const view: RecordView<z.infer<typeof image>> = {
  kind: 'record',
  columns: [
    { key: 'file', title: 'File', whole: true },
    { key: 'content_type', title: 'Type' },
    { key: 'bytes', title: 'Bytes' },
    { key: 'base64', title: 'Content', only: 'machines' },
  ],
}

export default defineCommand({
  output: async () => (await import('./image-schema.ts')).image,
  calls: ['ceLabel'],
  view,
  options: [['--out <file>', 'write the PNG image to this file']],
  description: 'Redirected output contains the PNG image. JSON contains the image in base64.',
  examples: [
    'facescan ce-label --out ce-label.png',
    'facescan ce-label > ce-label.png',
    'facescan ce-label --json=bytes',
  ],
  async run(ctx, { out }) {
    const api = await ctx.api()
    const png = await api.ceLabel()
    const facts = { content_type: 'image/png', bytes: png.length } as const
    if (out !== undefined) {
      await save(out, png)
      return { ...facts, file: out, base64: null }
    }
    if (ctx.settings.format !== 'table')
      return { ...facts, file: null, base64: Buffer.from(png).toString('base64') }
    if (ctx.io.stdout.isTTY) {
      throw new UsageError('the CE label is a PNG image, which a terminal cannot show', {
        hint: 'Save the image: facescan ce-label --out ce-label.png',
      })
    }
    await ctx.write(png)
    return alreadyPrinted
  },
})

async function save(file: string, image: Uint8Array): Promise<void> {
  await writeFile(file, image).catch((cause: unknown) => {
    throw new ConfigurationError(`cannot write ${file} (${systemReason(cause)})`, { cause })
  })
}
