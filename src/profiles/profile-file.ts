import { join } from 'node:path'
import { withLock } from '../base/system/owner-file.ts'
import { type Paths, requireDirectory } from '../base/system/paths.ts'
import { writeConfFile } from './conf-file.ts'
import { readOwnerJson } from './owner-json.ts'
import type { ProfileFile } from './profile.ts'
import { profileFileSchema } from './profile-schema.ts'

/** Where the profiles are kept; undefined where there is no home. */
export function profileFilePath(paths: Paths): string | undefined {
  return paths.config && join(paths.config, 'profiles.json')
}

/** The profiles as they are; none where the file or the home does not exist. */
export async function readProfiles(paths: Paths): Promise<ProfileFile> {
  const path = profileFilePath(paths)
  const none: ProfileFile = { version: 1, profiles: {} }
  if (!path) return none
  return (await readOwnerJson(path, profileFileSchema)) ?? none
}

/**
 * Changes the profiles while no other command does. `change` gets the latest state, may write key stores as well, and
 * alters the object it is given; when it throws, the file stays as it was.
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
