import { ConfigurationError, FacescanError, RefusedError } from '../base/errors.ts'
import { isLoopback, parseBaseUrl } from '../http/base-url.ts'
import type { ProfileChoice } from './choose-key.ts'
import {
  currentUnlock,
  defaultProtection,
  environmentOf,
  findProfile,
  type Moment,
  ownersOf,
  type Profile,
  type ProfileFile,
  protectionNow,
  type ServiceEnvironment,
  sandboxProfile,
  stricter,
  type Unlock,
} from './profile.ts'
import type { Protection } from './settings.ts'

export interface CarriedCredential {
  kind: 'key' | 'token'
  source: string
  /** Fingerprint of the key. Undefined for a token, and for a key command that has not run yet. */
  fingerprint: string | undefined
}

interface SessionFacts {
  choice: ProfileChoice
  file: ProfileFile
  credential: CarriedCredential | undefined
  /** Fingerprint of the environment's key, if an explicit `--profile` overrides this key. */
  ignoredFingerprint?: string | undefined
  moment: Moment
}

/** The service of a command, and the changes that the command may make there. */
export interface Determined {
  /** Name of the profile. Null if no profile stores the key. */
  profile: string | null
  environment: ServiceEnvironment
  /** Base URL of the service. Undefined for the built-in sandbox, which runs inside the program. */
  baseUrl: string | undefined
  protect: Protection
  unlock?: Unlock | undefined
  /** Whether to show reference values (zones, directions). The service does not return these values. */
  reference?: boolean | undefined
  auditCommand?: string | undefined
}

/**
 * Determines a session from the service and the key. The name of a profile alone does not reduce the protection. `README.md` lists the
 * result of each combination. Throws for a refused combination.
 */
export function determineSession(facts: SessionFacts): Determined {
  const { choice, credential, file } = facts
  if (choice.name === sandboxProfile) return determineSandbox(facts)
  // Computing a fingerprint loads node:crypto, so it is computed only if profiles exist.
  const hasOwners = credential?.kind === 'key' && Object.keys(file.profiles).length > 0
  const fingerprint = hasOwners ? credential.fingerprint : undefined
  const owners = fingerprint === undefined ? [] : ownersOf(file, fingerprint)
  const owner = fingerprint === undefined ? undefined : findOwnerOf(facts, fingerprint, owners)
  const name = choice.name ?? owner ?? null
  const profile = findProfile(file, name)
  const baseUrl = name === null ? requireBaseUrl(facts) : findDestination(facts, name, profile)
  const isOwnKey = choice.origin.from === 'profile' ? isTrusted(facts, profile) : owner !== undefined
  const isShared = owners.some((one) => environmentOf(one) === 'production')
  const environment = isShared ? 'production' : environmentFor(name, isOwnKey, baseUrl)
  const sharing = owners.map((one) => findProfile(file, one))
  return {
    profile: name,
    environment,
    baseUrl,
    // In an edited profile file, several profiles may have the same key. Their strictest protection and their first audit command apply.
    protect: owners
      .map((one) => protectionNow(findProfile(file, one), environmentOf(one), facts.moment))
      .reduce(stricter, protectionFor(profile, environment, isOwnKey, facts.moment)),
    unlock: currentUnlock(profile, facts.moment),
    reference: profile?.reference,
    auditCommand: [profile, ...sharing].map((one) => one?.auditCommand).find(Boolean),
  }
}

/** The session of the built-in sandbox. It accepts its own action tokens, but no key. */
function determineSandbox({ credential, choice }: SessionFacts): Determined {
  const { ignoredEnvironmentKey, baseUrl } = choice
  const extra = credential?.kind === 'key' ? credential.source : ignoredEnvironmentKey?.source
  const combined = extra === undefined ? baseUrl && 'FACESCAN_BASE_URL' : `the key from ${extra}`
  if (combined) {
    throw new RefusedError(`${sandboxProfile} is the built-in sandbox and cannot be used with ${combined}`, {
      hint: 'Nothing was sent. Unset the variable or omit the flag, or use another profile.',
    })
  }
  return {
    profile: sandboxProfile,
    environment: 'sandbox',
    baseUrl: undefined,
    protect: 'off',
    reference: true,
  }
}

/** The profile that stores the key of this command. Throws if only another profile stores the key. */
function findOwnerOf(
  { choice, credential, ignoredFingerprint }: SessionFacts,
  fingerprint: string,
  owners: readonly string[],
): string | undefined {
  const { name, origin, ignoredEnvironmentKey } = choice
  if (ignoredEnvironmentKey && ignoredFingerprint !== fingerprint) {
    const [variable] = ignoredEnvironmentKey.source.split(' ')
    throw new RefusedError(
      `the key in ${ignoredEnvironmentKey.source} does not match the key stored for profile ${name}`,
      { hint: `Unset ${variable} to use the profile, or omit --profile to use the key.` },
    )
  }
  if (owners.length === 0) return undefined
  if (name !== null && owners.includes(name)) return name
  const [owner = '', ...others] = owners
  if (name === null && others.length === 0) return owner
  // Names the selected profile as the source if the key came from it. Another profile can have the same key, because a key command can
  // print it.
  const source = origin.from === 'profile' ? `profile ${name}` : credential?.source
  const used = name === null ? 'no profile' : `profile ${name} (${environmentOf(name)})`
  throw new RefusedError(
    `the key from ${source} belongs to profile ${owners.join(' and ')} (${environmentOf(owner)}), but ${used} is selected`,
    { hint: `Use the profile that stores this key: --profile ${owner}` },
  )
}

/** The base URL for a stored key. A key is sent only to the service of its profile. */
function findDestination(
  { choice: { baseUrl } }: SessionFacts,
  name: string,
  profile: Profile | undefined,
): string {
  // The selected profile existed when the command started, so it was removed later.
  if (!profile) {
    throw new ConfigurationError(`profile ${name} no longer exists`, {
      hint: 'List the profiles: facescan profiles list',
    })
  }
  const stored = profile.baseUrl && parseBaseUrl(profile.baseUrl, `profile ${name}`)
  if (!stored) {
    throw new ConfigurationError(`profile ${name} has no base URL`, {
      hint: `Set the base URL: facescan profiles set ${name} --base-url https://…`,
    })
  }
  if (baseUrl === undefined) return stored
  if (new URL(baseUrl).origin === new URL(stored).origin) return baseUrl
  throw new RefusedError(
    `profile ${name} is for ${new URL(stored).origin}, but FACESCAN_BASE_URL is ${new URL(baseUrl).origin}`,
    {
      hint: `Nothing was sent. Unset FACESCAN_BASE_URL, or add a profile for the other service: facescan profiles add`,
    },
  )
}

/** The base URL for a key that no profile stores. If there is no key, the base URL must be on this machine. */
function requireBaseUrl({ credential, choice: { baseUrl } }: SessionFacts): string {
  if (baseUrl === undefined) {
    throw new ConfigurationError(`no base URL is set for the key from ${credential?.source}`, {
      hint: 'Set FACESCAN_BASE_URL, or select a profile with --profile or FACESCAN_PROFILE.',
    })
  }
  if (credential || isLoopback(baseUrl)) return baseUrl
  throw new FacescanError('unauthenticated', `no API key for ${new URL(baseUrl).origin}`, {
    hint: 'Set FACESCAN_API_KEY, or add a profile: facescan profiles add ACME-DEV',
  })
}

/** Whether the key belongs to the profile. Before the first run of a key command, its fingerprint is unknown, so any key is accepted. */
function isTrusted({ credential }: SessionFacts, profile: Profile | undefined): boolean {
  const [expected, actual] = [profile?.fingerprint, credential?.fingerprint]
  return expected === undefined || actual === undefined || expected === actual
}

/**
 * The environment of a session. If the profile is for development, only its stored key counts as development. Another key or token counts
 * as production, unless the service runs on this machine.
 */
function environmentFor(name: string | null, isOwnKey: boolean, baseUrl: string): ServiceEnvironment {
  if (name !== null && environmentOf(name) === 'production') return 'production'
  if (name !== null && isOwnKey) return 'development'
  return isLoopback(baseUrl) ? 'development' : 'production'
}

function protectionFor(
  profile: Profile | undefined,
  environment: ServiceEnvironment,
  isOwnKey: boolean,
  moment: Moment,
): Protection {
  const ofProfile = profile ? protectionNow(profile, environment, moment) : defaultProtection(environment)
  return isOwnKey ? ofProfile : stricter(ofProfile, defaultProtection(environment))
}
