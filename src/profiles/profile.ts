import { uptime } from 'node:os'
import * as z from 'zod/mini'
import { ConfigurationError, UsageError } from '../base/errors.ts'
import { own } from '../base/functions.ts'
import { didYouMean } from '../base/nearest.ts'
import { showWord } from '../base/text.ts'
import { type Protection, protections, storedSettings } from './settings.ts'

/** Environments of a service. A profile whose name ends in `-DEV` is for development (spec 5). */
export const serviceEnvironments = ['sandbox', 'development', 'production'] as const

interface Store {
  title: string
  /** Whether the store always returns the key that was added. A key command can print another key later. */
  keepsKey: boolean
  /** Whether the store accepts only production keys. Development and production keys never share a store. */
  onlyProduction: boolean
}

/** The key stores and their properties. Their functions are in `keyStores`. */
export const stores = {
  keyring: { title: 'system keyring', keepsKey: true, onlyProduction: true },
  file: { title: 'file', keepsKey: true, onlyProduction: false },
  command: { title: 'key command', keepsKey: false, onlyProduction: false },
} as const satisfies Record<string, Store>

export type ServiceEnvironment = (typeof serviceEnvironments)[number]
export type StoreKind = keyof typeof stores

export const storeNames = Object.keys(stores) as StoreKind[]
export const keepingStores = storeNames.filter((store) => stores[store].keepsKey)

/** Matches a profile name that is safe as a file name, in a keyring, and on a command line. */
export const profileNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** The latest time that a date can represent, in milliseconds. */
const latestTimeMs = 8_640_000_000_000_000

/** A period in which a read-only profile accepts confirmed changes. Times are in milliseconds. */
const unlock = z.object({
  from: z.optional(z.number()),
  until: z.number().check(z.maximum(latestTimeMs)),
  /** Uptime of the machine at `from`. Unlike the clock, the uptime cannot be set back. */
  fromUptime: z.optional(z.number()),
  reason: z.string(),
})

/** One profile in the profile file, without its key. */
const profile = z.looseObject({
  store: z.enum(storeNames),
  /** Fingerprint of the stored key. For a key command, the fingerprint of the key that the command printed at its first run. */
  fingerprint: z.optional(z.string()),
  ...storedSettings,
  unlock: z.optional(unlock),
})

/** The profile file. Unknown fields are kept. */
export const profileFile = z.looseObject({
  version: z.literal(1),
  default: z.optional(z.string()),
  profiles: z.record(z.string().check(z.regex(profileNamePattern, 'not a profile name')), profile),
})

export type Unlock = z.infer<typeof unlock>
export type Profile = z.infer<typeof profile>
export type ProfileFile = z.infer<typeof profileFile>

/** The built-in profile. It needs no key and no file. */
export const sandboxProfile = 'SANDBOX-DEV'

/** A moment: the time of day and the uptime of the machine, both in milliseconds. */
export interface Moment {
  now: number
  uptime: number
}

/** The current moment. The uptime includes the time in which the machine was suspended. */
export function momentAt(now: number): Moment {
  return { now, uptime: uptime() * 1_000 }
}

export function environmentOf(name: string): ServiceEnvironment {
  if (name === sandboxProfile) return 'sandbox'
  return name.endsWith('-DEV') ? 'development' : 'production'
}

export function defaultProtection(environment: ServiceEnvironment): Protection {
  return environment === 'production' ? 'confirm' : 'off'
}

/** The current protection. An unlocked read-only profile requires confirmation. */
export function protectionNow(
  profile: Profile | undefined,
  environment: ServiceEnvironment,
  moment: Moment,
): Protection {
  const protect = profile?.protect ?? defaultProtection(environment)
  return protect === 'read-only' && currentUnlock(profile, moment) ? 'confirm' : protect
}

export function stricter(one: Protection, other: Protection): Protection {
  return protections.indexOf(one) < protections.indexOf(other) ? one : other
}

/**
 * The active unlock of a profile. It ends by the clock or by the uptime of the machine, whichever is first. Setting the clock back does
 * not extend an unlock. A restart of the machine ends it.
 */
export function currentUnlock(profile: Profile | undefined, { now, uptime }: Moment): Unlock | undefined {
  const { from, until, fromUptime } = profile?.unlock ?? {}
  if (from === undefined || until === undefined || fromUptime === undefined) return undefined
  const elapsed = uptime - fromUptime
  const isOpen = now >= from && now < until && elapsed >= 0 && elapsed < until - from
  return isOpen ? profile?.unlock : undefined
}

/** Finds a profile by name. Null if no profile is selected. */
export function findProfile({ profiles }: ProfileFile, name: string | null): Profile | undefined {
  return name === null ? undefined : own(profiles, name)
}

export function ownersOf(file: ProfileFile, fingerprint: string): string[] {
  return Object.keys(file.profiles).filter((name) => file.profiles[name]?.fingerprint === fingerprint)
}

export function requireProfile(file: ProfileFile, name: string): Profile {
  const profile = findProfile(file, name)
  if (profile) return profile
  if (name === sandboxProfile) throw new UsageError(`${sandboxProfile} is built in and cannot be changed`)
  throw profileNotFound(file, name)
}

/** The error for an unknown profile. `namedBy` is the flag or variable that selected the profile. */
export function profileNotFound(file: ProfileFile, name: string, namedBy?: string): ConfigurationError {
  const selected = namedBy === undefined ? '' : ` (selected by ${namedBy})`
  const guess = didYouMean(name, [...Object.keys(file.profiles), sandboxProfile])
  return new ConfigurationError(`profile ${showWord(name)} not found${selected}${guess}`, {
    hint: 'List the profiles: facescan profiles list',
  })
}
