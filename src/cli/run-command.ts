import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { FacescanError } from '../base/errors.ts'
import { once } from '../base/functions.ts'
import type { Environment } from '../base/io.ts'
import { type Paths, resolvePaths, trustOwner } from '../base/paths.ts'
import type { ProcessEnvironment } from '../context/command-context.ts'
import { createContext } from '../context/create-context.ts'
import type { Command } from '../framework/define-command.ts'
import { printCommandResult, runOrPlan } from '../framework/execute.ts'
import type { GlobalFlags } from '../framework/global-flags.ts'
import type { UserId } from '../framework/user.ts'
import type { Selection } from '../profiles/session.ts'
import type { Defaults } from '../profiles/settings.ts'
import type { Leaf, Located } from '../routes/routes.ts'
import { checkOutput, chooseOutput } from './choose-output.ts'
import type { Completed } from './complete.ts'
import { parse } from './parse.ts'
import type { CommandLine } from './tokenize.ts'
import { commandText, lastText } from './words.ts'

type Main = (words: readonly string[], environment: ProcessEnvironment) => Promise<number>

export async function runCommand(
  { name, leaf }: Extract<Located, { kind: 'command' }>,
  line: CommandLine,
  environment: ProcessEnvironment,
  main: Main,
): Promise<void> {
  const { env } = environment
  const paths = resolvePaths(env)
  const command = await loadCommand(leaf, line)
  // `--trust-owner` is read before the flags are checked, because reading the profile already needs it.
  const owner = lastText(line.given['trustOwner'])
  trustOwner(owner === undefined ? undefined : Number(owner))
  const select = once(() => selectProfile(command, line, env, paths))
  const defaults = await readDefaults(command, paths, select)
  const parsed = await parse(name, command, line, environment, defaults)
  const { flags, input, words, canAsk } = parsed
  const settings = chooseOutput(flags, env, defaults.output)
  await checkOutput(settings, command, flags.dryRun)
  const started = { command: name, definition: command, input, flags, given: words.given, settings, paths }
  const canGoBack = !parsed.isComplete
  const ctx = await createContext(
    { ...started, line: commandText(line.argv), canAsk, canGoBack, select, main },
    environment,
  )
  const run = async ({ input, line }: Completed) => {
    const result = await runOrPlan({ ...ctx, line }, command, input)
    await printCommandResult(ctx, result, { ...command, user: input['user'] as UserId | undefined })
  }
  try {
    if (parsed.isComplete) await run({ input, line: ctx.line })
    else await (await import('./complete.ts')).askMissing(ctx, command, parsed, run)
  } catch (error) {
    // The error of the command contains the next step, so an error of the audit log or the audit command does not replace it.
    await ctx.close().catch(({ message }: Error) => ctx.warn(message))
    throw atService(error, flags, defaults)
  }
  await ctx.close()
}

/** Loads a command. Adds the flags for lists only if the line contains a flag that is not global. */
async function loadCommand(leaf: Leaf, { rest }: CommandLine): Promise<Command> {
  const { default: command } = await leaf.load()
  if (!command.many || rest.length === 0) return command
  const { withListFlags } = await import('../framework/many/options.ts')
  return withListFlags(command)
}

/** Adds two facts to an error: the flags that select the service (for commands in hints), and the profile's default format. */
function atService(
  error: unknown,
  { profile, keyFile, keyStdin, actionToken }: GlobalFlags,
  { output: defaultFormat }: Defaults,
): unknown {
  const service = { profile, keyFile, keyStdin, actionToken }
  if (error instanceof FacescanError) Object.assign(error.details, { service, defaultFormat })
  return error
}

/** Selects the profile before the command line is parsed, because the settings of the profile are the defaults for flags. */
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
  // If a command does not accept an action token, FACESCAN_ACTION_TOKEN is ignored.
  const used = takesToken ? env : { ...env, FACESCAN_ACTION_TOKEN: undefined }
  return (await import('../profiles/session.ts')).selectProfile({ flags, env: used, paths })
}

/** The profile's defaults for the command. Empty if the profiles cannot be read, because the session reports the reason later. */
async function readDefaults(
  { calls, effect }: Command,
  paths: Paths,
  select: () => Promise<Selection>,
): Promise<Defaults> {
  // If no profile is stored, the code for profiles is not loaded.
  if (calls.length === 0 || !existsSync(join(paths.config ?? '', 'profiles.json'))) return {}
  try {
    const { file, choice } = await select()
    const [{ findProfile }, { defaultsOf }] = await Promise.all([
      import('../profiles/profile.ts'),
      import('../profiles/settings.ts'),
    ])
    const defaults = defaultsOf(findProfile(file, choice.name) ?? {})
    // For a change, the language of the profile is ignored, because it would become the language of the user.
    return effect === 'read' ? defaults : { ...defaults, language: undefined }
  } catch (error) {
    if (error instanceof FacescanError) return {}
    throw error
  }
}
