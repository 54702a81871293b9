import { UsageError } from '../base/errors.ts'
import { orList } from '../base/text.ts'
import type { ProcessEnvironment } from '../context/command-context.ts'
import { readPage } from '../help/pages/pages.ts'
import { createTerminal } from '../output/colors.ts'
import { renderPage } from '../output/render-page.ts'
import { write } from '../output/write.ts'
import type { Located } from '../routes/routes.ts'
import { chooseErrorFormat } from './choose-output.ts'
import type { CommandLine } from './tokenize.ts'

/** Prints a help page. FACESCAN_OUTPUT is ignored, because help is for people. Only a flag selects JSON. */
export async function showHelp(
  located: Located,
  line: CommandLine,
  { io, env, clock }: ProcessEnvironment,
): Promise<void> {
  const { writeDirectly } = io
  const isJson = chooseErrorFormat(line, {}) !== 'table'
  if (isJson && located.kind === 'branch' && !line.wantsHelp) {
    const verbs = orList(Object.keys(located.branch.verbs))
    throw new UsageError(`facescan ${located.name} needs a subcommand: ${verbs}`)
  }
  const page = await readPage(located.name)
  if (isJson) return write(io.stdout, `${JSON.stringify(page, null, 2)}\n`)
  const terminal = await createTerminal({
    stream: writeDirectly ? {} : io.stdout,
    env,
    color: line.color,
    clock,
  })
  const bytes = Buffer.from(`${renderPage(page, terminal)}\n`)
  const written = writeDirectly?.(bytes) ?? 0
  if (written < bytes.length) await write(io.stdout, bytes.subarray(written))
}
