/** Which service a profile speaks to; the name of the profile decides (specification, section 5: `-DEV` aliases). */
export type ServiceEnvironment = 'sandbox' | 'development' | 'production'

export const protections = ['read-only', 'confirm', 'off'] as const
export type Protection = (typeof protections)[number]

export const stores = ['keyring', 'file', 'command'] as const
export type StoreKind = (typeof stores)[number]

/** Built in: needs no key and no file. */
export const sandboxProfile = 'SANDBOX-DEV'

/** What the profile file holds for one profile; never the key itself. */
export interface Profile {
  store: StoreKind
  /** Of the key that was added; absent with `command`, whose key may change at any time. */
  fingerprint?: string | undefined
  baseUrl?: string | undefined
  protect?: Protection | undefined
  /** A command line that prints the key; with the store `command`. */
  keyCommand?: string | undefined
  unlock?: Unlock | undefined
}

/** Changes are let through a read-only profile for a while. */
export interface Unlock {
  /** Milliseconds since the epoch. */
  until: number
  reason: string
}

export interface ProfileFile {
  version: 1
  default?: string | undefined
  profiles: Record<string, Profile>
}

export function environmentOf(name: string): ServiceEnvironment {
  if (name === sandboxProfile) return 'sandbox'
  return name.endsWith('-DEV') ? 'development' : 'production'
}

export const profileNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** Whether a name can stand for a profile in a file, a keyring and on a command line. */
export function isProfileName(name: string): boolean {
  return profileNamePattern.test(name)
}

export function defaultProtection(environment: ServiceEnvironment): Protection {
  return environment === 'production' ? 'confirm' : 'off'
}

/** The protection that holds now: an unlocked read-only profile asks before each change. */
export function protectionNow(
  profile: Profile | undefined,
  environment: ServiceEnvironment,
  now: number,
): Protection {
  const protect = profile?.protect ?? defaultProtection(environment)
  return protect === 'read-only' && currentUnlock(profile, now) ? 'confirm' : protect
}

/** The unlock of a profile while it lasts. */
export function currentUnlock(profile: Profile | undefined, now: number): Unlock | undefined {
  return profile?.unlock && profile.unlock.until > now ? profile.unlock : undefined
}

/** A profile by name; safe for names such as `constructor`. */
export function findProfile(file: ProfileFile, name: string): Profile | undefined {
  return Object.hasOwn(file.profiles, name) ? file.profiles[name] : undefined
}

/** The profile of the other kind that a key is stored under. */
export function findOwner(
  file: ProfileFile,
  key: { readonly fingerprint: string },
  isProduction: boolean,
): string | undefined {
  const owner = Object.entries(file.profiles).find(
    ([name, { fingerprint }]) =>
      (environmentOf(name) === 'production') !== isProduction && fingerprint === key.fingerprint,
  )
  return owner?.[0]
}
