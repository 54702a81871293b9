import { FacescanError, UsageError } from '../base/errors.ts'
import { resolvePaths } from '../base/system/paths.ts'
import { quoteWord } from '../base/text/shell-quote.ts'
import type { Context } from '../command/context.ts'
import type { Command } from '../command/define-command.ts'
import { execute } from '../command/execute.ts'
import type { GlobalFlags } from '../command/global-flags.ts'
import type { UserId } from '../command/user.ts'
import { isAskable } from '../context/ask.ts'
import { composeContext } from '../context/compose.ts'
import type { Composition } from '../context/composition.ts'
import { DryRunStop, plannedView } from '../http/dry-run.ts'
import { checkFields } from '../output/fields.ts'
import { checkFilter } from '../output/json.ts'
import { createPen } from '../output/pen.ts'
import type { OutputSettings } from '../output/settings.ts'
import type { Located } from '../tree/locate.ts'
import { chooseOutput } from './choose-output.ts'
import type { CommandLine } from './command-line.ts'
import { hintForFlags } from './locate-command.ts'
import { describeMissing, type Invocation, parseWords } from './parse.ts'
import { type SortedWords, sortCommandWords } from './sort-words.ts'

/** A command line whose command is known. */
interface Call extends Pick<Composition, 'outside' | 'main'> {
  name: string
  command: Command
  line: CommandLine
}

/** Parses the words of a command and runs it. On a terminal, prompts ask for missing values. */
export async function runCommand(
  { name, leaf }: Extract<Located, { kind: 'command' }>,
  line: CommandLine,
  { outside, main }: Pick<Call, 'outside' | 'main'>,
): Promise<void> {
  const { default: command } = await leaf.load()
  const call = { name, command, line, outside, main }
  const words = sortCommandWords(name, command, line.argv)
  const typed = parse(call, words)
  const canAsk = typed.problems.length === 0 && isAskable(outside.io, outside.env, typed.flags)
  if (!isComplete(command, typed) && !canAsk) throw describeProblems(call, words, typed)
  const composition = await compose(call, typed.flags)
  const { ctx, close } = composeContext(composition)
  try {
    const { input } = isComplete(command, typed) ? typed : await complete(ctx, call, words, typed)
    ctx.target.user = input['user'] as UserId | undefined
    await execute(ctx, command, input)
  } catch (error) {
    if (!(error instanceof DryRunStop)) throw atService(error, typed.flags)
    await ctx.print(error.planned, plannedView)
  } finally {
    await close()
  }
}

/** Adds the flags of the service, for the command in a hint. */
function atService(error: unknown, { profile, keyFile, keyStdin, actionToken }: GlobalFlags): unknown {
  if (error instanceof FacescanError) error.details.service = { profile, keyFile, keyStdin, actionToken }
  return error
}

function parse({ name, command, outside }: Call, words: SortedWords): Invocation {
  return parseWords(name, command, words, outside.env)
}

function isComplete(command: Command, { problems, missing }: Invocation): boolean {
  return problems.length === 0 && describeMissing(command, missing).length === 0
}

function describeProblems(
  { name, command }: Call,
  { unknownFlags }: SortedWords,
  { problems, missing }: Invocation,
) {
  const hint = hintForFlags(unknownFlags, `facescan ${name}`)
  return new UsageError([...describeMissing(command, missing), ...problems], { hint })
}

/** Parses the command line again with the answers to prompts. */
async function complete(
  ctx: Context,
  call: Call,
  words: SortedWords,
  { missing }: Invocation,
): Promise<Invocation> {
  const { name, command, line } = call
  const { askMissing } = await import('./ask-missing.ts')
  const { operands, flags } = await askMissing(ctx, command, words, missing)
  const argv = addAnswers(line.argv, operands, flags)
  const completed = sortCommandWords(name, command, argv)
  const invocation = parse(call, completed)
  if (!isComplete(command, invocation)) throw describeProblems(call, completed, invocation)
  ctx.line = commandText(argv)
  if (!command.promptsInRun) ctx.note(`equivalent command: ${ctx.line}`)
  return invocation
}

/** If an argument starts with a dash, all arguments follow a separator. */
function addAnswers(
  argv: readonly string[],
  operands: readonly string[],
  flags: readonly string[],
): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const words = [...argv.slice(end + 1), ...operands]
  const needsSeparator = words.some((word) => word.startsWith('-'))
  return [...argv.slice(0, end), ...(needsSeparator ? [...flags, '--', ...words] : [...words, ...flags])]
}

function commandText(argv: readonly string[]): string {
  return ['facescan', ...argv].map(quoteWord).join(' ')
}

async function compose(
  { name, command, line, outside, main }: Call,
  flags: GlobalFlags,
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
    name,
    command,
    line: commandText(line.argv),
    flags,
    paths: resolvePaths(env),
    settings,
  }
}

/** Finds an invalid field or filter before a command changes anything. A command that only reads checks the fields of the reply. */
async function checkOutput(
  { jq, fields }: OutputSettings,
  effect: Command['effect'],
  view: Command['view'],
): Promise<void> {
  if (jq !== undefined) await checkFilter(jq)
  if (fields !== undefined && effect !== 'read' && view) checkFields(fields, view)
}
