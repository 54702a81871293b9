import { join } from 'node:path'
import { withLock } from '../base/system/owner-file.ts'
import { type Paths, requireDirectory } from '../base/system/paths.ts'
import { readOwnerJson, writeConfFile } from './json-file.ts'
import type { ProfileFile } from './profile.ts'
import { profileFileSchema } from './profile-schema.ts'

/** The path of the profile file; undefined without a home directory. */
export function profileFilePath(paths: Paths): string | undefined {
  return paths.config && join(paths.config, 'profiles.json')
}

/** The stored profiles; none if the file or the home directory does not exist. */
export async function readProfiles(paths: Paths): Promise<ProfileFile> {
  const path = profileFilePath(paths)
  const none: ProfileFile = { version: 1, profiles: {} }
  if (!path) return none
  return (await readOwnerJson(path, profileFileSchema)) ?? none
}

/**
 * Changes the profiles while no other command does. `change` modifies the object that it receives, and may write key stores.
 * If it throws, the file is not changed.
 */
export async function changeProfiles<T>(
  paths: Paths,
  change: (file: ProfileFile) => Promise<T> | T,
): Promise<T> {
  const directory = requireDirectory(paths, 'config')
  return withLock(directory, 'profiles', async () => {
    const file = await readProfiles(paths)
    const result = await change(file)
    await writeConfFile(directory, 'profiles', file)
    return result
  })
}
