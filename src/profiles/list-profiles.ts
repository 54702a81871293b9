import type { Paths } from '../base/paths.ts'
import { locateStore } from './key-stores.ts'
import {
  currentUnlock,
  defaultProtection,
  environmentOf,
  findProfile,
  momentAt,
  type ProfileFile,
  requireProfile,
  sandboxProfile,
} from './profile.ts'
import { readProfiles } from './profile-file.ts'
import type { ProfileShown } from './schemas.ts'
import { type ShownSettings, shownSettings } from './settings.ts'

/** All profiles by name, the built-in sandbox last. */
export async function listProfiles(paths: Paths, now: number): Promise<ProfileShown[]> {
  const file = await readProfiles(paths)
  const names = Object.keys(file.profiles).toSorted()
  return [...names, sandboxProfile].map((name) => toShown(file, name, paths, now))
}

export async function showProfile(paths: Paths, name: string, now: number): Promise<ProfileShown> {
  const file = await readProfiles(paths)
  if (name !== sandboxProfile) requireProfile(file, name)
  return toShown(file, name, paths, now)
}

function toShown(file: ProfileFile, name: string, paths: Paths, now: number): ProfileShown {
  const profile = findProfile(file, name)
  const environment = environmentOf(name)
  const unlock = currentUnlock(profile, momentAt(now))
  const shown = Object.fromEntries(
    shownSettings.map(({ name, key }) => [key, profile?.[name] ?? null]),
  ) as ShownSettings
  return {
    name,
    environment,
    default: (file.default ?? sandboxProfile) === name,
    base_url: profile?.baseUrl ?? null,
    store: profile?.store ?? null,
    stored_in: profile ? locateStore(name, profile, paths) : null,
    fingerprint: profile?.fingerprint ?? null,
    protect: profile?.protect ?? defaultProtection(environment),
    unlocked_until: unlock ? new Date(unlock.until).toISOString() : null,
    ...shown,
    reference: environment === 'sandbox' || profile?.reference === true,
  }
}
