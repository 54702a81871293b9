import { FacescanError } from '../base/errors.ts'
import { type Choice, chooseProfile } from './choose-profile.ts'
import { readCredential } from './credential.ts'
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
import { determine, type SessionInput } from './session.ts'

/** Describes a session without sending anything and without running a key command. */
export async function describeSession(input: SessionInput): Promise<Status> {
  const file = await readProfiles(input.paths)
  const choice = chooseProfile(input.flags, input.env, file)
  const { origin } = choice
  const describe = (
    determined: Determined,
    value: string | null,
    source: string,
    problem: string | null = null,
  ) => {
    const { baseUrl, profile, environment, protect } = determined
    const settings = [...describeSettings(choice, determined, file, input), { name: 'key', value, source }]
    return { profile, environment, base_url: baseUrl ?? null, protect, fingerprint: value, settings, problem }
  }
  try {
    if (origin.from === 'profile' && origin.profile.store === 'command') {
      const unread = { kind: 'key', source: origin.source, fingerprint: undefined } as const
      const determined = await determine(choice, unread, file, input)
      return describe(determined, null, `${origin.source} (key command, not run)`)
    }
    const credential = await readCredential(origin, input)
    const determined = await determine(choice, credential, file, input)
    if (!credential) return describe(determined, null, 'not required')
    const prefix = credential.kind === 'key' ? '' : 'action token: '
    return describe(determined, credential.fingerprint, prefix + credential.source)
  } catch (error) {
    // Ctrl-C is not a problem of the key.
    input.signal.throwIfAborted()
    if (!(error instanceof FacescanError)) throw error
    const source = origin.from === 'nowhere' ? 'not set' : origin.source
    return describe(describeUnusable(choice, file, input), null, source, error.message)
  }
}

function describeSettings(
  { name, namedBy, baseUrl: given }: Choice,
  { profile, environment, baseUrl, protect, unlockReason }: Determined,
  file: ProfileFile,
  { env, paths }: SessionInput,
): Setting[] {
  const directory = (variable: string) => (env[variable] ? variable : 'default')
  const stored = profile === null ? undefined : findProfile(file, profile)
  const ownUrl =
    baseUrl === undefined
      ? environment === 'sandbox'
        ? 'built-in sandbox'
        : 'not set'
      : `profile ${profile}`
  const protectSource = stored?.protect ? 'profile' : 'default'
  const rows: [name: string, value: string | null | undefined, source: string][] = [
    ['profile', profile, name === profile ? namedBy : `matches the key from ${namedBy}`],
    ['environment', environment, explainEnvironment(profile, environment)],
    ['base_url', baseUrl, given === undefined ? ownUrl : 'FACESCAN_BASE_URL'],
    ['protect', protect, unlockReason ? `unlocked: ${unlockReason}` : protectSource],
    ['config_dir', paths.config, directory('FACESCAN_CONFIG_DIR')],
    ['state_dir', paths.state, directory('FACESCAN_STATE_DIR')],
  ]
  return rows.map(([name, value = null, source]) => ({ name, value, source }))
}

function explainEnvironment(name: string | null, environment: ServiceEnvironment): string {
  if (name === null) return 'base URL'
  if (environment === environmentOf(name)) return 'profile name'
  return `the key or token is not the stored key of ${name}`
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
