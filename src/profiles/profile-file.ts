import { join } from 'node:path'
import * as z from 'zod/mini'
import { ConfigurationError } from '../base/errors.ts'
import { readOwnerFile } from '../base/files.ts'
import { orUndefined } from '../base/functions.ts'
import { fieldsOf } from '../base/json.ts'
import type { Paths } from '../base/paths.ts'
import { type ProfileFile, profileFile } from './profile.ts'

/** The path of the profile file. Undefined if the user has no home directory. */
export function profileFilePath(paths: Paths): string | undefined {
  return paths.config && join(paths.config, 'profiles.json')
}

/** The stored profiles. Empty if the file or the home directory does not exist. */
export async function readProfiles(paths: Paths): Promise<ProfileFile> {
  const path = profileFilePath(paths)
  const none: ProfileFile = { version: 1, profiles: {} }
  if (!path) return none
  // The file contains no keys, so other users may read it.
  return (await readOwnerJson(path, profileFile, true)) ?? none
}

/**
 * Reads a JSON file that belongs to the user. Undefined if the file does not exist. Throws if the file is damaged, or if a newer version
 * wrote it. Errors do not quote the file, because it may contain a key.
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
