import * as z from 'zod/mini'
import { hideKeysIn, maskText } from '../base/mask.ts'
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
  serviceEnvironments,
  storeNames,
} from './profile.ts'
import { readProfiles } from './profile-file.ts'
import { protections, type ShownSettings, shownSchemas, shownSettings } from './settings.ts'

export const profile = z.strictObject({
  name: z.string(),
  environment: z.enum(serviceEnvironments),
  default: z.boolean(),
  base_url: z.nullable(z.string()),
  store: z.nullable(z.enum(storeNames)),
  /** The path of the key file, or the name of the store. */
  stored_in: z.nullable(z.string()),
  fingerprint: z.nullable(z.string()),
  protect: z.enum(protections),
  /** End of the unlock as RFC 3339. Null if the profile is not unlocked. */
  unlocked_until: z.nullable(z.string()),
  ...shownSchemas,
  /** Whether reference values are shown. Always true for the sandbox, because it returns these values itself. */
  reference: z.boolean(),
})

export const profiles = z.array(profile)

export const removedProfile = z.strictObject({ name: z.string(), removed: z.literal(true) })

export type ProfileShown = z.infer<typeof profile>

/** All profiles by name. The built-in sandbox is last. */
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
    // The file may have been edited, so the base URL may contain a password or a key.
    base_url: profile?.baseUrl === undefined ? null : hideKeysIn(maskText(profile.baseUrl, [])),
    store: profile?.store ?? null,
    stored_in: profile ? locateStore(name, profile, paths) : null,
    fingerprint: profile?.fingerprint ?? null,
    protect: profile?.protect ?? defaultProtection(environment),
    unlocked_until: unlock ? new Date(unlock.until).toISOString() : null,
    ...shown,
    reference: environment === 'sandbox' || profile?.reference === true,
  }
}
