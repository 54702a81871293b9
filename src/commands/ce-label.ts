import { writeFile } from 'node:fs/promises'
import { ConfigurationError, UsageError } from '../base/errors.ts'
import { systemCode } from '../base/system/system-code.ts'
import type { Context } from '../command/context.ts'
import { defineCommand } from '../command/define-command.ts'
import { alreadyPrinted } from '../command/outcome.ts'
import type { RecordView } from '../output/view.ts'

interface Label {
  content_type: 'image/png'
  bytes: number
  file: string | null
  base64: string | null
}

const view: RecordView<Label> = {
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
  options: [['--out <file>', 'file for the PNG image']],
  description:
    'Shows the image if the terminal supports images. If the output is redirected, it is the PNG image; in JSON, the image is base64.',
  examples: [
    'facescan ce-label --out ce-label.png',
    'facescan ce-label > ce-label.png',
    'facescan ce-label --json=bytes',
  ],
  async run(ctx, { out }) {
    const api = await ctx.api()
    const image = await api.ceLabel()
    const facts = { content_type: 'image/png', bytes: image.length } as const
    if (out !== undefined) {
      await save(out, image)
      return { ...facts, file: out, base64: null }
    }
    if (ctx.format !== 'table') return { ...facts, file: null, base64: Buffer.from(image).toString('base64') }
    await ctx.write(ctx.io.stdout.isTTY ? await draw(ctx, image) : image)
    return alreadyPrinted
  },
})

async function draw(ctx: Context, image: Uint8Array): Promise<Uint8Array> {
  const { drawPng } = await import('../output/draw/image.ts')
  const drawing = await drawPng(image, ctx.env, ctx.pen('stdout'))
  if (drawing !== undefined) return Buffer.from(drawing)
  throw new UsageError('this terminal cannot show images', {
    hint: 'Save the image: facescan ce-label --out ce-label.png',
  })
}

async function save(file: string, image: Uint8Array): Promise<void> {
  await writeFile(file, image).catch((cause: unknown) => {
    throw new ConfigurationError(`cannot write ${file} (${systemCode(cause) ?? 'unknown error'})`, { cause })
  })
}
