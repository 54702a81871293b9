import { writeFile } from 'node:fs/promises'
import { defineCommand } from '../command.ts'
import { UsageError } from '../errors.ts'

export default defineCommand({
  options: [['--out <file>', 'write the image to a file']],
  examples: ['facescan ce-label --out ce-label.png', 'facescan ce-label > ce-label.png'],
  async run(ctx, _args, { out }) {
    if (out === undefined && ctx.io.stdout.isTTY) {
      throw new UsageError('a PNG image cannot be shown as text', {
        hint: 'Give --out FILE, or redirect the output.',
      })
    }
    const api = await ctx.api()
    const image = await api.ceLabel()
    if (out === undefined) return ctx.write(image)
    await writeFile(out, image)
    ctx.note(`Wrote ${image.length} bytes to ${out}`)
  },
})
