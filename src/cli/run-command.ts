import { resolvePaths } from '../base/system/paths.ts'
import type { Context } from '../command/context.ts'
import type { Command } from '../command/define-command.ts'
import { execute } from '../command/execute.ts'
import { aboutSameService } from '../command/follow-up.ts'
import { composeContext } from '../context/compose.ts'
import type { Composition } from '../context/composition.ts'
import { DryRunStop, plannedView } from '../http/dry-run.ts'
import { createPen } from '../output/pen.ts'
import type { OutputSettings } from '../output/settings.ts'
import type { Located } from '../tree/locate.ts'
import { chooseOutput } from './choose-output.ts'
import { completeWords } from './interview.ts'
import { learnUsers } from './learn-users.ts'
import { parseWords } from './parse.ts'
import type { CommandLine } from './read-command-line.ts'
import { sortCommandWords } from './sort-command-words.ts'

type Surroundings = Pick<Composition, 'outside' | 'main'>

/** Parses the words of a located command and runs it. */
export async function runCommand(
  { name, leaf }: Extract<Located, { kind: 'command' }>,
  line: CommandLine,
  { outside, main }: Surroundings,
): Promise<void> {
  const { env, clock, io } = outside
  const { default: command } = await leaf.load()
  const typed = sortCommandWords(name, command, line.argv)
  learnUsers(command, typed, outside.pseudonyms)
  const words = await completeWords(name, command, typed, { line, outside })
  const { input, flags } = parseWords(name, command, words, env)
  const settings = chooseOutput(flags, env)
  await checkOutput(settings, command)
  const penFor = (stream: 'stdout' | 'stderr') =>
    createPen({ stream: io[stream], env, color: flags.color, now: () => clock.now() })
  const composition = {
    pens: { stdout: await penFor('stdout'), stderr: await penFor('stderr') },
    outside,
    main,
    command: name,
    // A dry run of a raw call shows the call, even if the call only reads.
    looksUp: command.effect !== 'read' && command.calls !== 'any',
    localEffect: command.localEffect,
    takesToken: command.takesToken,
    flags,
    paths: resolvePaths(env),
    settings,
  }
  await runIn(composition, (ctx) => execute(ctx, command, input))
}

/** Finds an invalid field or filter before a command changes anything. A command that only reads checks the fields of the reply. */
async function checkOutput(settings: OutputSettings, { effect, view }: Command): Promise<void> {
  if (settings.jq !== undefined) {
    const { checkJq } = await import('../output/jq.ts')
    await checkJq(settings.jq)
  }
  if (settings.fields !== undefined && effect !== 'read' && view) {
    const { checkFieldsOf } = await import('../output/fields.ts')
    checkFieldsOf(view, settings.fields)
  }
}

async function runIn(composition: Composition, run: (ctx: Context) => Promise<void>): Promise<void> {
  const { ctx, close } = composeContext(composition)
  try {
    await run(ctx)
  } catch (error) {
    if (!(error instanceof DryRunStop)) throw aboutSameService(error, composition.flags)
    await ctx.print(error.planned, plannedView)
  } finally {
    await close()
  }
}
