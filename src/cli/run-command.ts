import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { FacescanError } from '../base/errors.ts'
import { once } from '../base/functions.ts'
import type { Environment } from '../base/io.ts'
import { type Paths, resolvePaths, trustOwner } from '../base/paths.ts'
import type { CommandContext, ProcessEnvironment } from '../context/command-context.ts'
import { createContext } from '../context/create-context.ts'
import type { Command } from '../framework/define-command.ts'
import { printOutcome, runOrPlan } from '../framework/execute.ts'
import type { GlobalFlags } from '../framework/global-flags.ts'
import type { UserId } from '../framework/user.ts'
import { checkFields } from '../output/fields.ts'
import { checkFilter } from '../output/json.ts'
import type { OutputSettings } from '../output/settings.ts'
import type { Selection } from '../profiles/session.ts'
import type { Defaults } from '../profiles/settings.ts'
import type { Located } from '../routes/find-command.ts'
import type { Leaf } from '../routes/routes.ts'
import { chooseOutput } from './choose-output.ts'
import type { Completed } from './complete.ts'
import { isComplete, type Parsed, parse } from './parse.ts'
import type { CommandLine } from './tokenize.ts'
import { commandText, lastText } from './words.ts'

type Main = (words: readonly string[], environment: ProcessEnvironment) => Promise<number>

/** Runs the command of a line: parse, prompt for missing values, run, print. */
export async function runCommand(
  { name, leaf }: Extract<Located, { kind: 'command' }>,
  line: CommandLine,
  environment: ProcessEnvironment,
  main: Main,
): Promise<void> {
  const { env } = environment
  const paths = resolvePaths(env)
  const command = await loadCommand(leaf, line)
  // The profile is read before the flags are checked.
  trustOwner(Number(lastText(line.given['trustOwner'])))
  const select = once(() => selectProfile(command, line, env, paths))
  const defaults = await readDefaults(command, paths, select)
  const parsed = parse(name, command, line, environment, defaults)
  const { flags, input, words } = parsed
  const settings = chooseOutput(flags, env, defaults.output)
  await checkOutput(settings, command, flags.dryRun)
  const started = { command: name, definition: command, input, flags, given: words.given, settings, paths }
  const ctx = await createContext({ ...started, line: commandText(line.argv), select, main }, environment)
  try {
    const run = async (completed: Completed) => ({
      result: await runOrPlan({ ...ctx, line: completed.line }, command, completed.input),
      ...(completed.input as { user?: UserId }),
    })
    const isRunnable = isComplete(parsed)
    const ran = isRunnable ? run({ input, line: ctx.line }) : runWithPrompts(ctx, command, parsed, run)
    const { result, user } = await ran
    await printOutcome(ctx, result, { ...command, user })
  } catch (error) {
    throw atService(error, flags, defaults)
  } finally {
    await ctx.close()
  }
}

/** Loads a command. The flags for lists are loaded only if the line contains a flag that is not global. */
async function loadCommand(leaf: Leaf, { rest }: CommandLine): Promise<Command> {
  const { default: command } = await leaf.load()
  if (!command.many || rest.length === 0) return command
  const { withListFlags } = await import('../framework/many/options.ts')
  return withListFlags(command)
}

/** Prompts for the values that the command line lacks, and runs the command. */
async function runWithPrompts<Result>(
  ctx: CommandContext,
  command: Command,
  parsed: Parsed,
  run: (completed: Completed) => Promise<Result>,
): Promise<Result> {
  const { askMissing } = await import('./complete.ts')
  ctx.canGoBack = true
  return askMissing(ctx, command, parsed, run)
}

/** Selects the profile before the command line is parsed, because the profile has defaults for flags. */
async function selectProfile(
  { takesToken }: Command,
  { given }: CommandLine,
  env: Environment,
  paths: Paths,
): Promise<Selection> {
  const [profile, keyFile, actionToken] = ['profile', 'keyFile', 'actionToken'].map((key) =>
    lastText(given[key]),
  )
  const flags = { profile, keyFile, actionToken, keyStdin: given['keyStdin'] === true }
  // Only commands that accept an action token read the variable.
  const used = takesToken ? env : { ...env, FACESCAN_ACTION_TOKEN: undefined }
  return (await import('../profiles/session.ts')).selectProfile({ flags, env: used, paths })
}

/**
 * The settings of the selected profile that apply to the command. Empty if the profiles cannot be read. The command then reports the reason
 * when it opens its session.
 */
async function readDefaults(
  { calls, effect }: Command,
  paths: Paths,
  select: () => Promise<Selection>,
): Promise<Defaults> {
  // A command line with a mistake does not need the schema of the profile file.
  if (calls.length === 0 || !existsSync(join(paths.config ?? '', 'profiles.json'))) return {}
  try {
    const { file, choice } = await select()
    const [{ findProfile }, { defaultsOf }] = await Promise.all([
      import('../profiles/profile.ts'),
      import('../profiles/settings.ts'),
    ])
    const defaults = defaultsOf(findProfile(file, choice.nameWithoutToken ?? '') ?? {})
    // A change never uses the language of the profile, because the language is data of a user.
    return effect === 'read' ? defaults : { ...defaults, language: undefined }
  } catch (error) {
    if (error instanceof FacescanError) return {}
    throw error
  }
}

/** Checks fields and filter before anything is sent. */
async function checkOutput(
  { jq, fields }: OutputSettings,
  { view, many, resultSchema }: Command,
  isDryRun: boolean,
): Promise<void> {
  if (jq !== undefined) await checkFilter(jq)
  if (fields === undefined) return
  // A dry run prints the request, even if the result of the command is a single value.
  const plan = isDryRun ? (await import('../http/dry-run.ts')).plannedView : undefined
  const views = [view, many?.view, plan].filter((each) => each !== undefined)
  checkFields(fields, views, await resultSchema())
}

/** Adds to an error the flags that select the service, for the command in its hint, and the default format of the profile. */
function atService(
  error: unknown,
  { profile, keyFile, keyStdin, actionToken }: GlobalFlags,
  { output: defaultFormat }: Defaults,
): unknown {
  const service = { profile, keyFile, keyStdin, actionToken }
  if (error instanceof FacescanError) Object.assign(error.details, { service, defaultFormat })
  return error
}
