import { readPackageFile } from '../base/process.ts'
import { alreadyPrinted } from '../framework/command-result.ts'
import { defineCommand } from '../framework/define-command.ts'
import { argument } from '../framework/options.ts'
import { completionFiles, installLines, shells } from '../framework/shells.ts'
import { oneOf } from '../framework/values.ts'
import { write } from '../output/write.ts'

export default defineCommand({
  output: async () => (await import('zod/mini')).string(),
  view: { text: (script) => script },
  args: { shell: argument('<shell>', 'shell', oneOf(shells)) },
  description:
    'Prints a completion script for commands, flags, flag values, profile names, and files. The script does not run facescan.',
  examples: ['facescan completion bash', ...shells.map((shell) => installLines[shell])],
  async run(ctx, { shell }) {
    const script = readPackageFile(completionFiles[shell])
    // Only a flag selects JSON. FACESCAN_OUTPUT must not change the completion script, because a shell reads the script.
    if (ctx.settings.isExplicit) return script
    await write(ctx.io.stdout, Buffer.from(script))
    if (ctx.io.stdout.isTTY) ctx.note(`to install the script: ${installLines[shell]}`)
    return alreadyPrinted
  },
})
