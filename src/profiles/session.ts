import { ConfigurationError } from '../base/errors.ts'
import type { Environment } from '../base/io.ts'
import type { Paths } from '../base/system/paths.ts'
import { type Choice, chooseProfile, type SessionFlags } from './choose-profile.ts'
import { type Credential, type CredentialAccess, readCredential, readGiven } from './credential.ts'
import { type CarriedCredential, type Determined, determineSession } from './determine-session.ts'
import {
  environmentOf,
  findProfile,
  momentAt,
  type ProfileFile,
  type Protection,
  type ServiceEnvironment,
} from './profile.ts'
import { changeProfiles, readProfiles } from './profile-file.ts'
import { fingerprintOf } from './secret.ts'

/** One line of `facescan status`: a value and its source. */
export interface Setting {
  name: string
  value: string | null
  source: string
}

/** The service and the key of a command, and what it may change there. */
export interface Session {
  /** Null for a key that no profile stores. */
  profile: string | null
  environment: ServiceEnvironment
  /** Undefined for the built-in sandbox, which runs inside the program. */
  baseUrl: string | undefined
  /** Undefined for the sandbox, which needs no key. */
  credential: Credential | undefined
  protect: Protection
  /** Why a read-only profile was unlocked; the audit log records it. */
  unlockReason: string | undefined
  /** Whether to show this tool's reference values (zones, directions), which the service does not return. */
  reference: boolean
  /** The source of each part, for `facescan status`. */
  settings: readonly Setting[]
}

export interface SessionInput extends CredentialAccess {
  flags: SessionFlags
  /** Milliseconds since the epoch. */
  now: number
}

/** Reads the profiles and the key, and determines the session of a command. Throws if the combination is refused. */
export async function resolveSession(input: SessionInput): Promise<Session> {
  const file = await readProfiles(input.paths)
  const choice = chooseProfile(input.flags, input.env, file)
  const credential = await readCredential(choice.origin, input)
  const determined = await determine(choice, toCarried(credential), file, input)
  if (credential) await rememberFingerprint(choice, credential, determined, input.paths)
  const { because, ...session } = determined
  return {
    ...session,
    credential,
    reference: session.baseUrl === undefined || isReferenceOn(file, session.profile),
    get settings() {
      return describeSettings(choice, { ...session, because }, input, describeCredential(credential))
    },
  }
}

/** The service defines no zones and directions, so only a person can enable this tool's values for a profile. */
function isReferenceOn(file: ProfileFile, name: string | null): boolean {
  return name !== null && findProfile(file, name)?.reference === true
}

/** Determines the session of a choice whose key was read. */
export async function determine(
  choice: Choice,
  credential: CarriedCredential | undefined,
  file: ProfileFile,
  input: SessionInput,
): Promise<Determined> {
  const { name, baseUrl, origin, overridden } = choice
  const other = overridden && {
    source: overridden.source,
    fingerprint: fingerprintOf(await readGiven(overridden, input)),
  }
  const isFromStore = origin.from === 'profile'
  const moment = momentAt(input.now)
  return determineSession({ name, baseUrl, file, credential, isFromStore, overridden: other, moment })
}

export function toCarried(credential: Credential | undefined): CarriedCredential | undefined {
  if (!credential) return undefined
  const { kind, source } = credential
  return { kind, source, fingerprint: kind === 'key' ? credential.fingerprint : undefined }
}

/**
 * Stores the fingerprint of the first key that a key command prints, so the key is recognized if it arrives from another
 * source. In production a new fingerprint replaces it: the command may rotate the key, and the protection stays the same.
 */
async function rememberFingerprint(
  { origin }: Choice,
  { fingerprint }: Credential,
  { environment }: Determined,
  paths: Paths,
): Promise<void> {
  if (origin.from !== 'profile' || origin.profile.store !== 'command') return
  const known = origin.profile.fingerprint
  const isRotated = known !== fingerprint && environmentOf(origin.name) === 'production'
  if (environment === 'sandbox' || (known !== undefined && !isRotated)) return
  const change = (file: ProfileFile) => {
    const profile = findProfile(file, origin.name)
    if (profile?.store === 'command') profile.fingerprint = fingerprint
  }
  await changeProfiles(paths, change).catch((error: unknown) => {
    // A configuration directory may be read-only, as in a container. The key is used without its fingerprint then.
    if (!(error instanceof ConfigurationError)) throw error
  })
}

export function describeSettings(
  { name, namedBy, baseUrl: given }: Choice,
  { profile, environment, baseUrl, protect, because }: Determined,
  { env, paths }: SessionInput,
  key: Setting,
): Setting[] {
  const directory = (variable: keyof Environment & string) => (env[variable] ? variable : 'platform')
  const urlSource =
    baseUrl === undefined ? (environment === 'sandbox' ? 'in process' : 'not set') : `profile ${profile}`
  return [
    { name: 'profile', value: profile, source: name === profile ? namedBy : `fingerprint of ${namedBy}` },
    { name: 'environment', value: environment, source: because.environment },
    {
      name: 'base_url',
      value: baseUrl ?? null,
      source: given === undefined ? urlSource : 'FACESCAN_BASE_URL',
    },
    { name: 'protect', value: protect, source: because.protect },
    { name: 'config_dir', value: paths.config ?? null, source: directory('FACESCAN_CONFIG_DIR') },
    { name: 'state_dir', value: paths.state ?? null, source: directory('FACESCAN_STATE_DIR') },
    key,
  ]
}

export function describeCredential(credential: Credential | undefined): Setting {
  if (!credential) return { name: 'key', value: null, source: 'not required' }
  const source = credential.kind === 'key' ? credential.source : `action token: ${credential.source}`
  return { name: 'key', value: credential.fingerprint, source }
}
