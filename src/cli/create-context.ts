import { resolvePaths } from '../base/paths.ts'
import { composeContext } from '../context/compose.ts'
import type { Composition } from '../context/composition.ts'
import type { Command } from '../framework/define-command.ts'
import { plannedView } from '../http/dry-run.ts'
import { checkFields } from '../output/fields.ts'
import { checkFilter } from '../output/json.ts'
import { createPen } from '../output/pen.ts'
import type { OutputSettings } from '../output/settings.ts'
import { chooseOutput } from './choose-output.ts'
import type { Line } from './tokenize.ts'
import { commandText } from './words.ts'

type Call = Pick<Composition, 'name' | 'command' | 'flags' | 'outside' | 'main'> & { line: Line }

export async function createContext({ line, ...call }: Call): Promise<ReturnType<typeof composeContext>> {
  const { command, flags, outside } = call
  const { env, io, clock } = outside
  const settings = chooseOutput(flags, env)
  await checkOutput(settings, command, flags.dryRun)
  const penFor = (stream: 'stdout' | 'stderr') =>
    createPen({ stream: io[stream], env, color: flags.color, now: () => clock.now() })
  return composeContext({
    ...call,
    settings,
    pens: { stdout: await penFor('stdout'), stderr: await penFor('stderr') },
    line: commandText(line.argv),
    paths: resolvePaths(env),
  })
}

/** Finds an invalid field or filter before anything is sent. */
async function checkOutput(
  { jq, fields }: OutputSettings,
  { view, many, resultSchema }: Command,
  isDryRun: boolean,
): Promise<void> {
  if (jq !== undefined) await checkFilter(jq)
  if (fields === undefined) return
  const views = [view, many?.view, isDryRun ? plannedView : undefined]
  checkFields(
    fields,
    views.filter((each) => each !== undefined),
    await resultSchema(),
  )
}
