import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../base/io.ts'
import { resolvePaths } from '../base/paths.ts'
import type { Command } from '../framework/define-command.ts'
import type { Defaults } from '../profiles/settings.ts'
import type { Line } from './tokenize.ts'
import { lastText } from './words.ts'

/** The settings of the selected profile that apply to a command. None if the profiles cannot be read: the session reports why. */
export async function readDefaults(command: Command, { given }: Line, env: Environment): Promise<Defaults> {
  const paths = resolvePaths(env)
  // A command line with a mistake does not load the schema of the file.
  if (command.calls.length === 0 || !existsSync(join(paths.config ?? '', 'profiles.json'))) return {}
  const [{ findProfile }, { readProfiles }, { forSettings }] = await Promise.all([
    import('../profiles/profile.ts'),
    import('../profiles/profile-file.ts'),
    import('../profiles/settings.ts'),
  ])
  const file = await readProfiles(paths).catch(() => undefined)
  const hasKey = [
    env['FACESCAN_API_KEY'],
    env['FACESCAN_API_KEY_FILE'],
    given['keyFile'],
    given['keyStdin'],
  ].some(Boolean)
  const name = lastText(given['profile']) ?? (env['FACESCAN_PROFILE'] || (hasKey ? undefined : file?.default))
  const profile = file && name !== undefined ? findProfile(file, name) : undefined
  const defaults = profile ? forSettings((setting) => profile[setting]) : {}
  // The language of a change is data of a user.
  return command.effect === 'read' ? defaults : { ...defaults, language: undefined }
}
