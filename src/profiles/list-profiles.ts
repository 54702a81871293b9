import type { Paths } from '../base/system/paths.ts'
import { requireProfile } from './edit-profiles.ts'
import { describeStore } from './key-stores.ts'
import {
  currentUnlock,
  defaultProtection,
  environmentOf,
  findProfile,
  momentAt,
  type ProfileFile,
  type Protection,
  type ServiceEnvironment,
  type StoreKind,
  sandboxProfile,
} from './profile.ts'
import { readProfiles } from './profile-file.ts'

/** A profile as people and scripts see it. */
export interface ProfileShown {
  name: string
  environment: ServiceEnvironment
  default: boolean
  base_url: string | null
  store: StoreKind | null
  /** The file of the store, or its name. */
  stored_in: string | null
  fingerprint: string | null
  protect: Protection
  /** Whether zones and directions, which are this tool's reference values, are shown. */
  reference: boolean
  /** RFC 3339; null if the profile is not unlocked. */
  unlocked_until: string | null
}

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
  return {
    name,
    environment,
    default: (file.default ?? sandboxProfile) === name,
    base_url: profile?.baseUrl ?? null,
    store: profile?.store ?? null,
    stored_in: profile ? describeStore(name, profile, paths) : null,
    fingerprint: profile?.fingerprint ?? null,
    protect: profile?.protect ?? defaultProtection(environment),
    reference: environment === 'sandbox' || profile?.reference === true,
    unlocked_until: unlock ? new Date(unlock.until).toISOString() : null,
  }
}
