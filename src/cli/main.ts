import { FacescanError } from '../base/errors.ts'
import { version } from '../base/process.ts'
import type { Outside } from '../context/composition.ts'
import type { GlobalFlags } from '../framework/global-flags.ts'
import { write } from '../output/write.ts'
import type { Located } from '../routes/locate.ts'
import { findRoute } from './find-route.ts'
import { type Line, tokenize } from './tokenize.ts'

/**
 * Runs one command line and resolves with its exit code. Each step is loaded when it is needed, so that help and the version
 * appear at once.
 */
export async function main(argv: readonly string[], outside: Outside): Promise<number> {
  const line = await tokenize(argv)
  try {
    const route = line.wantsVersion ? undefined : findRoute(line)
    if (route === undefined) await write(outside.io.stdout, `${version}\n`)
    else if (route.kind === 'command' && !line.wantsHelp) await run(route, line, outside)
    else await (await import('./show-help.ts')).showHelp(route, line, outside)
    return 0
  } catch (error) {
    const { reportError } = await import('./report-error.ts')
    return reportError(error, line, outside)
  }
}

/** Runs the command of a line: parse, prompt for missing values, run, print. Exported for commands that are not in the tree. */
export async function run(
  { name, leaf }: Extract<Located, { kind: 'command' }>,
  line: Line,
  outside: Outside,
): Promise<void> {
  const { complete, createContext, parse, readDefaults, runOrPlan } = await import('./steps.ts')
  const { default: command } = await leaf.load()
  const defaults = await readDefaults(command, line, outside.env)
  const parsed = parse(name, command, line, outside, defaults)
  const { ctx, close } = await createContext({ name, command, flags: parsed.flags, line, outside, main })
  try {
    const input = await complete(ctx, command, parsed)
    await runOrPlan(ctx, command, input)
  } catch (error) {
    throw atService(error, parsed.flags)
  } finally {
    await close()
  }
}

/** Adds the flags of the service, for the command in a hint. */
function atService(error: unknown, { profile, keyFile, keyStdin, actionToken }: GlobalFlags): unknown {
  if (error instanceof FacescanError) error.details.service = { profile, keyFile, keyStdin, actionToken }
  return error
}
