import { ConfigurationError, FacescanError, RefusedError } from '../base/errors.ts'
import { isLoopback } from '../http/base-url.ts'
import {
  type Choice,
  chooseProfile,
  findEnvironmentKey,
  type SessionFlags,
  type Setting,
} from './choose-profile.ts'
import { type Credential, type CredentialAccess, readCredential, readGiven } from './credential.ts'
import {
  environmentOf,
  findOwner,
  type ProfileFile,
  type Protection,
  type ServiceEnvironment,
  sandboxProfile,
} from './profile.ts'
import { readProfiles } from './profile-file.ts'

/** Who speaks to which service, and what may be changed there. */
export interface Session {
  /** Null for a key that came without a profile. */
  profile: string | null
  environment: ServiceEnvironment
  /** Undefined for the built-in sandbox, which runs inside the program. */
  baseUrl: string | undefined
  /** Undefined for the sandbox, which needs none. */
  credential: Credential | undefined
  protect: Protection
  /** Given when a read-only profile was unlocked; the audit log repeats it. */
  unlockReason: string | undefined
  /** Whether to show this tool's reference values (zones, directions), which the service does not return. */
  reference: boolean
  /** Where each part comes from, for `facescan status`. */
  settings: readonly Setting[]
}

export interface SessionInput extends CredentialAccess {
  flags: SessionFlags
  /** Milliseconds since the epoch. */
  now: number
}

/**
 * Finds the profile, the service and the key of a command, in the documented order: `--key-file` or `--key-stdin`, an
 * explicit `--profile`, FACESCAN_API_KEY[_FILE], FACESCAN_PROFILE, the default profile, the built-in sandbox.
 */
export async function resolveSession(input: SessionInput): Promise<Session> {
  const file = await readProfiles(input.paths)
  const choice = chooseProfile(input.flags, input.env, input.paths, file, input.now)
  assertServiceIsKnown(choice)
  const credential = await readCredential(choice.origin, input)
  if (credential?.kind === 'key') assertKeyBelongsHere(credential, choice, file)
  if (credential) await assertEnvironmentAgrees(choice, credential, input)
  if (!credential && choice.baseUrl !== undefined && !isLoopback(choice.baseUrl)) throw missingKey(choice)
  return {
    profile: choice.name,
    environment: choice.environment,
    baseUrl: choice.baseUrl,
    credential,
    protect: choice.protect,
    unlockReason: choice.unlockReason,
    reference: choice.baseUrl === undefined,
    get settings() {
      return [...choice.settings, describeCredential(credential)]
    },
  }
}

/** A session for people to look at: what is wrong with it is told, not thrown. */
export interface Status {
  profile: string | null
  environment: ServiceEnvironment
  base_url: string | null
  protect: Protection
  fingerprint: string | null
  settings: readonly Setting[]
  problem: string | null
}

/** Describes a session without sending anything; a key command is not run for it. */
export async function describeSession(input: SessionInput): Promise<Status> {
  const choice = chooseProfile(
    input.flags,
    input.env,
    input.paths,
    await readProfiles(input.paths),
    input.now,
  )
  const source = choice.origin.from === 'nowhere' ? 'not given' : choice.origin.source
  const status = {
    profile: choice.name,
    environment: choice.environment,
    base_url: choice.baseUrl ?? null,
    protect: choice.protect,
    fingerprint: null,
    settings: [...choice.settings, { name: 'key', value: null, source }],
    problem: null,
  }
  if (choice.origin.from === 'profile' && choice.origin.profile.store === 'command') {
    const key = { name: 'key', value: null, source: `${source} (key command, not run)` }
    return { ...status, settings: [...choice.settings, key] }
  }
  try {
    const { credential, settings } = await resolveSession(input)
    return { ...status, settings, fingerprint: credential?.fingerprint ?? null }
  } catch (error) {
    // That a person stopped waiting for the key is no problem of the key.
    input.signal.throwIfAborted()
    if (error instanceof FacescanError) return { ...status, problem: error.message }
    throw error
  }
}

function assertServiceIsKnown({ name, baseUrl }: Choice): void {
  if (baseUrl !== undefined || name === sandboxProfile) return
  throw new ConfigurationError(
    name === null ? 'the key has no base URL to go with' : `the profile ${name} has no base URL`,
    {
      hint:
        name === null
          ? 'Set FACESCAN_BASE_URL, or name a profile with --profile or FACESCAN_PROFILE.'
          : `Set FACESCAN_BASE_URL, or run: facescan profiles set ${name} --base-url https://…`,
    },
  )
}

/** A key that is known as one of the other kind is never sent: a development run cannot reach production data. */
function assertKeyBelongsHere(credential: Credential, choice: Choice, file: ProfileFile): void {
  const isProduction = choice.environment === 'production'
  // A key without a profile already counts as a production key, the stricter of the two.
  if (choice.name === null && isProduction) return
  const owner = findOwner(file, credential, isProduction)
  if (!owner) return
  throw new RefusedError(
    `the key from ${credential.source} belongs to ${owner}, a ${environmentOf(owner)} profile, but the command runs as ` +
      `${choice.name ?? 'a key without a profile'} (${choice.environment})`,
    { hint: `Use the profile by name: --profile ${owner}` },
  )
}

/** A key in the environment that an explicit `--profile` outranks and that is another one is a mistake somebody should look at. */
async function assertEnvironmentAgrees(
  choice: Choice,
  credential: Credential,
  input: SessionInput,
): Promise<void> {
  if (choice.origin.from !== 'profile') return
  const origin = findEnvironmentKey(input.env)
  if (origin.from !== 'variable' && origin.from !== 'file') return
  const other = await readGiven(origin, input)
  if (other.reveal() === credential.secret.reveal()) return
  throw new RefusedError(`the key in ${origin.source} is not the key of the profile ${choice.name}`, {
    hint: `Unset ${origin.source.split(' ')[0]} to use the profile, or leave out --profile to use the key.`,
  })
}

function missingKey(choice: Choice): FacescanError {
  return new FacescanError('unauthenticated', `there is no key for ${choice.baseUrl}`, {
    hint: 'Set FACESCAN_API_KEY, or add a profile with: facescan profiles add NAME',
  })
}

function describeCredential(credential: Credential | undefined): Setting {
  if (!credential) return { name: 'key', value: null, source: 'not needed' }
  const source = credential.kind === 'key' ? credential.source : `action token: ${credential.source}`
  return { name: 'key', value: credential.fingerprint, source }
}
