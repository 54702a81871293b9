import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { FacescanError } from '../base/errors.ts'
import type { Environment } from '../base/io.ts'
import type { Paths } from '../base/paths.ts'
import type { Command } from '../framework/define-command.ts'
import type { Selection } from '../profiles/session.ts'
import type { Defaults } from '../profiles/settings.ts'
import type { CommandLine } from './tokenize.ts'
import { lastText } from './words.ts'

/** Selects the profile before the command line is parsed, because the profile has defaults for flags. */
export async function selectProfile(
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
export async function readDefaults(
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
