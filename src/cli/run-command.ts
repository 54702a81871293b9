import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { FacescanError } from '../base/errors.ts'
import type { Environment } from '../base/io.ts'
import { resolvePaths } from '../base/paths.ts'
import type { ProcessEnvironment } from '../context/command-context.ts'
import { createContext } from '../context/create-context.ts'
import type { Context } from '../framework/context.ts'
import type { Command } from '../framework/define-command.ts'
import { printOutcome, runOrPlan } from '../framework/execute.ts'
import type { GlobalFlags } from '../framework/global-flags.ts'
import type { UserId } from '../framework/user.ts'
import { checkFields } from '../output/fields.ts'
import { checkFilter } from '../output/json.ts'
import type { OutputSettings } from '../output/settings.ts'
import type { Defaults } from '../profiles/settings.ts'
import type { Located } from '../routes/locate.ts'
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
  const command = await loadCommand(leaf, line)
  const defaults = await readDefaults(command, line, environment.env)
  const parsed = parse(name, command, line, environment, defaults)
  const { flags, input, words } = parsed
  const settings = chooseOutput(flags, environment.env, defaults.output)
  await checkOutput(settings, command, flags.dryRun)
  const { given } = words
  const ctx = await createContext(
    { command: name, definition: command, input, flags, given, settings, line: commandText(line.argv), main },
    environment,
  )
  try {
    const completed = isComplete(parsed) ? { input, line: ctx.line } : await complete(ctx, command, parsed)
    const { user } = completed.input as { user?: UserId }
    const result = await runOrPlan({ ...ctx, line: completed.line }, command, completed.input)
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

/** Prompts for the values that the command line lacks. */
async function complete(ctx: Context, command: Command, parsed: Parsed): Promise<Completed> {
  const { askMissing } = await import('./complete.ts')
  return askMissing(ctx, command, parsed)
}

/**
 * The settings of the selected profile that apply to the command. Empty if the profiles cannot be read, because the session then reports
 * the reason.
 */
async function readDefaults(command: Command, { given }: CommandLine, env: Environment): Promise<Defaults> {
  const paths = resolvePaths(env)
  // A command line with a mistake does not need the schema of the profile file.
  if (command.calls.length === 0 || !existsSync(join(paths.config ?? '', 'profiles.json'))) return {}
  const [{ chooseProfile }, { findProfile }, { readProfiles }, { defaultsOf }] = await Promise.all([
    import('../profiles/choose-profile.ts'),
    import('../profiles/profile.ts'),
    import('../profiles/profile-file.ts'),
    import('../profiles/settings.ts'),
  ])
  const [profile, keyFile] = [given['profile'], given['keyFile']].map(lastText)
  const flags = { profile, keyFile, keyStdin: given['keyStdin'] === true }
  try {
    const file = await readProfiles(paths)
    // With an action token, the defaults come from the profile that the command would use without the token.
    const { name } = chooseProfile(flags, { ...env, FACESCAN_ACTION_TOKEN: undefined }, file)
    const defaults = defaultsOf(findProfile(file, name ?? '') ?? {})
    // A change never uses the language of the profile, because the language is data of a user.
    return command.effect === 'read' ? defaults : { ...defaults, language: undefined }
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
