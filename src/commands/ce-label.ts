import { writeFile } from 'node:fs/promises'
import { ConfigurationError, UsageError } from '../base/errors.ts'
import { defineCommand } from '../command/define-command.ts'

export default defineCommand({
  options: [['--out <file>', 'write the image to a file']],
  description: 'Shows the image on a terminal, as well as it can; redirected, the output is the PNG itself.',
  examples: ['facescan ce-label', 'facescan ce-label --out ce-label.png', 'facescan ce-label > ce-label.png'],
  async run(ctx, _args, { out }) {
    const api = await ctx.api()
    const image = await api.ceLabel()
    if (out !== undefined) {
      await save(out, image)
      return ctx.note(`${image.length} bytes are written to ${out}`)
    }
    if (!ctx.io.stdout.isTTY) return ctx.write(image)
    const { drawPng } = await import('../output/draw/image.ts')
    const drawing = await drawPng(image, ctx.env, ctx.pen('stdout'))
    if (drawing !== undefined) return ctx.write(Buffer.from(drawing))
    throw new UsageError('the image cannot be drawn on this terminal', {
      hint: 'Give --out FILE, or redirect the output.',
    })
  },
})

async function save(file: string, image: Uint8Array): Promise<void> {
  await writeFile(file, image).catch((cause: NodeJS.ErrnoException) => {
    throw new ConfigurationError(`${file} cannot be written (${cause.code})`, { cause })
  })
}
