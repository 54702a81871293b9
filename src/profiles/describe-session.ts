import * as z from 'zod/mini'
import { FacescanError } from '../base/errors.ts'
import { hideKeysIn } from '../base/mask.ts'
import type { CredentialOrigin, ProfileChoice } from './choose-key.ts'
import type { CarriedCredential, Determined } from './determine-session.ts'
import { nameStore } from './key-stores.ts'
import {
  environmentOf,
  findProfile,
  momentAt,
  type ProfileFile,
  protectionNow,
  type ServiceEnvironment,
  serviceEnvironments,
  stores,
} from './profile.ts'
import { readCredential } from './read-key.ts'
import { determine, type SessionInput, selectProfile } from './session.ts'
import { protections } from './settings.ts'

const setting = z.strictObject({ name: z.string(), value: z.nullable(z.string()), source: z.string() })

/** The result of `status`. If the session cannot be used, the result contains the error. */
export const status = z.strictObject({
  profile: z.nullable(z.string()),
  environment: z.enum(serviceEnvironments),
  base_url: z.nullable(z.string()),
  protect: z.enum(protections),
  /** End of the unlock of a read-only profile. Null if the profile is not unlocked. */
  unlocked_until: z.nullable(z.string()),
  fingerprint: z.nullable(z.string()),
  settings: z.array(setting),
  problem: z.nullable(z.string()),
})

export type StatusSetting = z.infer<typeof setting>
export type Status = z.infer<typeof status>

/** Describes a session. Sends no request and runs no key command. Sets `error` for an unusable session. */
export async function describeSession(
  input: SessionInput,
): Promise<{ status: Status; error?: FacescanError }> {
  const { file, choice } = await selectProfile(input)
  const describe = (
    determined: Determined,
    key: Omit<StatusSetting, 'name'>,
    problem: string | null,
  ): Status => {
    const { baseUrl, profile, environment, protect, unlock } = determined
    const settings = [...describeSettings(choice, determined, file, input), { name: 'key', ...key }]
    return {
      profile,
      environment,
      base_url: baseUrl ?? null,
      protect,
      unlocked_until: unlock ? new Date(unlock.until).toISOString() : null,
      fingerprint: key.value,
      settings,
      problem,
    }
  }
  try {
    const credential = await lookAtCredential(choice.origin, input)
    const determined = await determine(choice, credential, file, input)
    return { status: describe(determined, describeKey(choice.origin, credential), null) }
  } catch (error) {
    // Ctrl-C must not be reported as a problem with the key.
    input.signal.throwIfAborted()
    if (!(error instanceof FacescanError)) throw error
    const source = choice.origin.from === 'nowhere' ? 'not set' : choice.origin.source
    const status = describe(describeUnusable(choice, file, input), { value: null, source }, error.message)
    return { status, error }
  }
}

/** Describes the key. A key command is not run, so the fingerprint of its key is unknown. */
async function lookAtCredential(
  origin: CredentialOrigin,
  input: SessionInput,
): Promise<CarriedCredential | undefined> {
  const isCommand = origin.from === 'profile' && !stores[origin.profile.store].keepsKey
  return isCommand ? { ...origin, fingerprint: undefined } : readCredential(origin, input)
}

function describeKey(
  origin: CredentialOrigin,
  credential: CarriedCredential | undefined,
): Omit<StatusSetting, 'name'> {
  if (origin.from === 'nowhere' || !credential) return { value: null, source: 'not required' }
  const parts = [origin.kind === 'token' ? `action token: ${origin.source}` : origin.source]
  if (origin.from === 'profile') parts.push(nameStore(origin.name, origin.profile))
  if (credential.fingerprint === undefined) parts.push('not run')
  return { value: credential.fingerprint ?? null, source: parts.join(', ') }
}

function describeSettings(
  { name, namedBy, baseUrl: given }: ProfileChoice,
  { profile, environment, baseUrl, protect, unlock }: Determined,
  file: ProfileFile,
  { env, paths }: SessionInput,
): StatusSetting[] {
  const directory = (variable: string) => (env[variable] ? variable : 'default')
  const stored = findProfile(file, profile)
  const missingUrl = environment === 'sandbox' ? 'built-in sandbox' : 'not set'
  const urlSource = baseUrl === undefined ? missingUrl : `profile ${profile}`
  const protectSource = stored?.protect ? 'profile' : 'default'
  const rows: [name: string, value: string | null | undefined, source: string][] = [
    ['profile', profile, name === profile ? namedBy : `matches the key from ${namedBy}`],
    ['environment', environment, explainEnvironment(profile, environment)],
    ['base_url', baseUrl, given === undefined ? urlSource : 'FACESCAN_BASE_URL'],
    ['protect', protect, unlock ? `reason: ${unlock.reason}` : protectSource],
    // A variable for a directory can contain a key by mistake, so keys are hidden.
    ['config_dir', paths.config && hideKeysIn(paths.config), directory('FACESCAN_CONFIG_DIR')],
    ['state_dir', paths.state && hideKeysIn(paths.state), directory('FACESCAN_STATE_DIR')],
  ]
  return rows.map(([name, value = null, source]) => ({ name, value, source }))
}

function explainEnvironment(name: string | null, environment: ServiceEnvironment): string {
  if (name === null) return 'base URL'
  if (environment === environmentOf(name)) return 'profile name'
  return `the key or token does not match the key stored for ${name}`
}

/** The settings that are known if the session cannot be used. */
function describeUnusable(
  { name, baseUrl }: ProfileChoice,
  file: ProfileFile,
  { clock }: SessionInput,
): Determined {
  const profile = findProfile(file, name)
  const environment = name === null ? 'production' : environmentOf(name)
  return {
    profile: name,
    environment,
    baseUrl: baseUrl ?? profile?.baseUrl,
    protect: protectionNow(profile, environment, momentAt(clock.now())),
  }
}
