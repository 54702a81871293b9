import { defineCommand } from '../command.ts'
import { installLines, shells } from '../completion/install.ts'
import { completionScript } from '../completion/scripts.ts'
import type { ScalarView } from '../output/view.ts'
import { oneOf } from '../values.ts'

const view: ScalarView<string> = { kind: 'scalar', text: (script) => script }

const shellName = oneOf(shells)

export default defineCommand({
  args: [['<shell>', 'the shell', shellName, shells]],
  description:
    'Completes commands, flags, their values, profile names and files. The shell does it alone: no program starts, nothing is sent.',
  examples: ['facescan completion bash', ...shells.map((shell) => installLines[shell])],
  async run(ctx, [shell]) {
    const script = completionScript(shell, await ctx.manual.surface())
    // The shell reads it: only the command line itself, never FACESCAN_OUTPUT, turns it into JSON.
    const { output, json, jq } = ctx.flags
    if ([output, json, jq].some((flag) => flag !== undefined)) await ctx.print(script, view)
    else await ctx.write(Buffer.from(script))
    if (ctx.io.stdout.isTTY) ctx.note(`to keep it: ${installLines[shell]}`)
  },
})
