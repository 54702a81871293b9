import { FacescanError } from '../base/errors.ts'
import { type Choice, chooseProfile } from './choose-profile.ts'
import { type Credential, readCredential } from './credential.ts'
import type { Determined } from './determine-session.ts'
import {
  environmentOf,
  findProfile,
  momentAt,
  type ProfileFile,
  protectionNow,
  type ServiceEnvironment,
} from './profile.ts'
import { readProfiles } from './profile-file.ts'
import type { Setting, Status } from './schemas.ts'
import { determine, type SessionInput, toCarried } from './session.ts'

/** Describes a session without sending anything and without running a key command. */
export async function describeSession(input: SessionInput): Promise<Status> {
  const file = await readProfiles(input.paths)
  const choice = chooseProfile(input.flags, input.env, file)
  const { origin } = choice
  const describe = (determined: Determined, key: Omit<Setting, 'name'>, problem: string | null = null) => {
    const settings = describeSettings(choice, determined, file, input)
    return toStatus(determined, [...settings, { name: 'key', ...key }], problem)
  }
  try {
    if (origin.from === 'profile' && origin.profile.store === 'command') {
      const unread = { kind: 'key', source: origin.source, fingerprint: undefined } as const
      const source = `${origin.source} (key command, not run)`
      return describe(await determine(choice, unread, file, input), { value: null, source })
    }
    const credential = await readCredential(origin, input)
    const determined = await determine(choice, toCarried(credential), file, input)
    return describe(determined, describeCredential(credential))
  } catch (error) {
    // Ctrl-C is not a problem of the key.
    input.signal.throwIfAborted()
    if (!(error instanceof FacescanError)) throw error
    const source = origin.from === 'nowhere' ? 'not set' : origin.source
    return describe(describeUnusable(choice, file, input), { value: null, source }, error.message)
  }
}

function toStatus(
  { profile, environment, baseUrl, protect }: Determined,
  settings: Setting[],
  problem: string | null,
): Status {
  const fingerprint = settings.at(-1)?.value ?? null
  return { profile, environment, base_url: baseUrl ?? null, protect, fingerprint, settings, problem }
}

function describeSettings(
  { name, namedBy, baseUrl: given }: Choice,
  { profile, environment, baseUrl, protect, unlockReason }: Determined,
  file: ProfileFile,
  { env, paths }: SessionInput,
): Setting[] {
  const directory = (variable: string) => (env[variable] ? variable : 'platform')
  const stored = profile === null ? undefined : findProfile(file, profile)
  const ownUrl =
    baseUrl === undefined ? (environment === 'sandbox' ? 'in process' : 'not set') : `profile ${profile}`
  const setting = (name: string, value: string | undefined | null, source: string) => ({
    name,
    value: value ?? null,
    source,
  })
  return [
    setting('profile', profile, name === profile ? namedBy : `stores the key from ${namedBy}`),
    setting('environment', environment, explainEnvironment(profile, environment)),
    setting('base_url', baseUrl, given === undefined ? ownUrl : 'FACESCAN_BASE_URL'),
    setting(
      'protect',
      protect,
      unlockReason ? `unlocked: ${unlockReason}` : stored?.protect ? 'profile' : 'default',
    ),
    setting('config_dir', paths.config, directory('FACESCAN_CONFIG_DIR')),
    setting('state_dir', paths.state, directory('FACESCAN_STATE_DIR')),
  ]
}

function explainEnvironment(name: string | null, environment: ServiceEnvironment): string {
  if (name === null) return 'base URL'
  if (environment === environmentOf(name)) return 'profile name'
  return `the key or token is not the stored key of ${name}`
}

function describeCredential(credential: Credential | undefined): Omit<Setting, 'name'> {
  if (!credential) return { value: null, source: 'not required' }
  const source = credential.kind === 'key' ? credential.source : `action token: ${credential.source}`
  return { value: credential.fingerprint, source }
}

/** The known settings of a refused session. */
function describeUnusable({ name, baseUrl }: Choice, file: ProfileFile, { now }: SessionInput): Determined {
  const profile = name === null ? undefined : findProfile(file, name)
  const environment = name === null ? 'production' : environmentOf(name)
  return {
    profile: name,
    environment,
    baseUrl: baseUrl ?? profile?.baseUrl,
    protect: protectionNow(profile, environment, momentAt(now)),
    unlockReason: undefined,
  }
}
