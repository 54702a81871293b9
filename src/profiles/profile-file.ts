import { join } from 'node:path'
import * as z from 'zod/mini'
import { ConfigurationError } from '../base/errors.ts'
import { cannotWrite, readOwnerFile } from '../base/files.ts'
import { orUndefined } from '../base/functions.ts'
import { fieldsOf } from '../base/json.ts'
import { type Paths, requireDirectory } from '../base/paths.ts'
import { type ProfileFile, profileFile } from './profile.ts'

/** The path of the profile file. Undefined without a home directory. */
export function profileFilePath(paths: Paths): string | undefined {
  return paths.config && join(paths.config, 'profiles.json')
}

/** The stored profiles. Empty if the file or the home directory does not exist. */
export async function readProfiles(paths: Paths): Promise<ProfileFile> {
  const path = profileFilePath(paths)
  const none: ProfileFile = { version: 1, profiles: {} }
  if (!path) return none
  // Other users may read this file, because it contains no keys.
  return (await readOwnerJson(path, profileFile, true)) ?? none
}

/**
 * Changes the profiles under a lock. `change` modifies the object that it receives, and may write to key stores. If `change` throws, the
 * file is not changed.
 */
export async function changeProfiles<T>(
  paths: Paths,
  change: (file: ProfileFile) => Promise<T> | T,
): Promise<T> {
  const directory = requireDirectory(paths, 'config')
  const { withLock } = await import('../base/lock.ts')
  return withLock(directory, 'profiles', async () => {
    const file = await readProfiles(paths)
    const result = await change(file)
    await writeConfFile(directory, 'profiles', file)
    return result
  })
}

/**
 * Reads a JSON file that belongs to the user. Undefined if the file does not exist. Throws if the file is damaged or was written by a newer
 * version. The error does not contain the text of the file, because the text may be a key.
 */
export async function readOwnerJson<T>(
  path: string,
  schema: z.ZodMiniType<T>,
  isPublic = false,
): Promise<T | undefined> {
  const text = await readOwnerFile(path, isPublic)
  if (text === undefined) return undefined
  const value = orUndefined((): unknown => JSON.parse(text))
  if (Number(fieldsOf(value)['version']) > 1) {
    throw new ConfigurationError(`${path} was written by a newer version of facescan`, {
      hint: 'Update facescan, or set FACESCAN_CONFIG_DIR to another directory.',
    })
  }
  const checked = z.safeParse(schema, value)
  if (checked.success) return checked.data
  const where =
    value === undefined
      ? 'not valid JSON'
      : `at ${checked.error.issues[0]?.path.join('.') || 'the top level'}`
  throw new ConfigurationError(`${path} is damaged (${where}); nothing was changed`, {
    hint: 'Fix the file, or move it to another directory and add the profiles again.',
  })
}

/**
 * Writes a JSON file of the configuration directory with conf, in one step and with mode 0600. A symbolic link stays a link. Call this
 * inside `withLock` after the file was read, because conf checks neither mode nor content.
 */
export async function writeConfFile(directory: string, name: string, content: object): Promise<void> {
  const { default: Conf } = await import('conf')
  try {
    const file = new Conf<Record<string, unknown>>({
      cwd: directory,
      configName: name,
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
      clearInvalidConfig: false,
      serialize: (value) => `${JSON.stringify(value, null, 2)}\n`,
    })
    file.store = { ...content }
  } catch (error) {
    const hint =
      'Check the free disk space and the file permissions, or set FACESCAN_CONFIG_DIR to another directory.'
    throw cannotWrite(join(directory, `${name}.json`), error, hint)
  }
}
