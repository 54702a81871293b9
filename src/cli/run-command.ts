import { Option } from 'commander'
import { UsageError } from '../base/errors.ts'
import { resolvePaths } from '../base/system/paths.ts'
import { quoteWord } from '../base/text/shell-quote.ts'
import type { Context } from '../command/context.ts'
import type { Command } from '../command/define-command.ts'
import { execute } from '../command/execute.ts'
import { aboutSameService } from '../command/follow-up.ts'
import type { ManyRun } from '../command/many/run-many.ts'
import type { OptionRow } from '../command/options.ts'
import type { UserId } from '../command/user.ts'
import { isAskable } from '../context/ask.ts'
import { composeContext } from '../context/compose.ts'
import type { Composition, Outside } from '../context/composition.ts'
import { DryRunStop, plannedView } from '../http/dry-run.ts'
import { createPen } from '../output/pen.ts'
import type { OutputSettings } from '../output/settings.ts'
import type { Located } from '../tree/locate.ts'
import { chooseOutput } from './choose-output.ts'
import { learnUsers } from './learn-users.ts'
import { type Invocation, parseWords, readOption } from './parse.ts'
import type { CommandLine } from './read-command-line.ts'
import { sortCommandWords } from './sort-command-words.ts'
import type { SortedWords } from './sorted-words.ts'
import { hintForFlags } from './unknown-flag.ts'

type Surroundings = Pick<Composition, 'outside' | 'main'>

/** Parses the words of a located command and runs it. On a terminal, prompts ask for what the command line lacks. */
export async function runCommand(
  { name, leaf }: Extract<Located, { kind: 'command' }>,
  line: CommandLine,
  { outside, main }: Surroundings,
): Promise<void> {
  const { env, io } = outside
  const { default: command } = await leaf.load()
  const words = sortCommandWords(name, command, line.argv)
  learnUsers(command, words, outside.pseudonyms)
  const typed = parseWords(name, command, words, env)
  const isComplete = typed.problems.length === 0 && typed.missing.length === 0
  const canAsk = typed.problems.length === 0 && isAskable(io, env, typed.flags)
  if (!isComplete && !canAsk) throw describeProblems(name, words, typed)
  const composition = await prepare(name, command, typed, line, { outside, main })
  await runIn(composition, async (ctx) => {
    const { input } = isComplete ? typed : await complete(ctx, { name, command, words, line, outside, typed })
    ctx.target.user = input['user'] as UserId | undefined
    await start(ctx, command, input, composition.settings)
  })
}

/** Runs the command once, or for each user of a list. */
async function start(
  ctx: Context,
  command: Command,
  input: Invocation['input'],
  settings: OutputSettings,
): Promise<void> {
  if (!command.many || input['users'] === undefined) return execute(ctx, command, input)
  const { runMany } = await import('../command/many/run-many.ts')
  await runMany(ctx, { command, input: input as ManyRun['input'], settings, readFlag })
}

/** Reads a cell like the value of the flag of the same name. */
function readFlag(row: OptionRow, text: string, problems: string[]): unknown {
  const option = new Option(row[0])
  return readOption(option, row[2], { [option.attributeName()]: [text] }, problems)
}

function describeProblems(name: string, { unknownFlags }: SortedWords, { problems, missing }: Invocation) {
  const hint = hintForFlags(unknownFlags, `facescan ${name}`)
  return new UsageError([...missing, ...problems], { hint })
}

interface Incomplete {
  name: string
  command: Command
  words: SortedWords
  line: CommandLine
  typed: Invocation
  outside: Outside
}

/** Parses the command line again with the answers to prompts. */
async function complete(ctx: Context, incomplete: Incomplete): Promise<Invocation> {
  const { name, command, words, line, typed, outside } = incomplete
  const { askMissing } = await import('./ask-missing.ts')
  const { completed, answers } = await askMissing(ctx, command, words, typed.lacksUser)
  learnUsers(command, completed, outside.pseudonyms)
  const invocation = parseWords(name, command, completed, ctx.env)
  const isComplete = invocation.problems.length === 0 && invocation.missing.length === 0
  if (!isComplete) throw describeProblems(name, completed, invocation)
  ctx.note(`equivalent command: ${commandText([...line.argv, ...answers])}`)
  return invocation
}

function commandText(argv: readonly string[]): string {
  return ['facescan', ...argv].map(quoteWord).join(' ')
}

async function prepare(
  name: string,
  command: Command,
  { flags }: Invocation,
  line: CommandLine,
  { outside, main }: Surroundings,
): Promise<Composition> {
  const { env, io, clock } = outside
  const settings = chooseOutput(flags, env)
  await checkOutput(settings, command.effect, flags.dryRun ? plannedView : command.view)
  const penFor = (stream: 'stdout' | 'stderr') =>
    createPen({ stream: io[stream], env, color: flags.color, now: () => clock.now() })
  return {
    pens: { stdout: await penFor('stdout'), stderr: await penFor('stderr') },
    outside,
    main,
    command: name,
    line: commandText(line.argv),
    // A dry run of a raw call shows the call, even if the call only reads.
    sendsReads: command.effect !== 'read' && command.calls !== 'any',
    localEffect: command.localEffect,
    takesToken: command.takesToken,
    flags,
    paths: resolvePaths(env),
    settings,
  }
}

/** Finds an invalid field or filter before a command changes anything. A command that only reads checks the fields of the reply. */
async function checkOutput(
  settings: OutputSettings,
  effect: Command['effect'],
  view: Command['view'],
): Promise<void> {
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
