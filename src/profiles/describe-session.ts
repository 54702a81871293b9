import { FacescanError } from '../base/errors.ts'
import { type Choice, chooseProfile } from './choose-profile.ts'
import { readCredential } from './credential.ts'
import type { Determined } from './determine-session.ts'
import {
  environmentOf,
  findProfile,
  momentAt,
  type ProfileFile,
  type Protection,
  protectionNow,
  type ServiceEnvironment,
} from './profile.ts'
import { readProfiles } from './profile-file.ts'
import {
  describeCredential,
  describeSettings,
  determine,
  type SessionInput,
  type Setting,
  toCarried,
} from './session.ts'

/** A session for people to look at. A problem is part of the result. */
export interface Status {
  profile: string | null
  environment: ServiceEnvironment
  base_url: string | null
  protect: Protection
  fingerprint: string | null
  settings: readonly Setting[]
  problem: string | null
}

/** Describes a session without sending anything and without running a key command. */
export async function describeSession(input: SessionInput): Promise<Status> {
  const file = await readProfiles(input.paths)
  const choice = chooseProfile(input.flags, input.env, file)
  const { origin } = choice
  try {
    if (origin.from === 'profile' && origin.profile.store === 'command') {
      const unread = { kind: 'key', source: origin.source, fingerprint: undefined } as const
      const key = { name: 'key', value: null, source: `${origin.source} (key command, not run)` }
      return toStatus(choice, await determine(choice, unread, file, input), input, key)
    }
    const credential = await readCredential(origin, input)
    const determined = await determine(choice, toCarried(credential), file, input)
    return toStatus(choice, determined, input, describeCredential(credential))
  } catch (error) {
    // The person stopped waiting for the key, which says nothing about the key.
    input.signal.throwIfAborted()
    if (!(error instanceof FacescanError)) throw error
    const key = { name: 'key', value: null, source: origin.from === 'nowhere' ? 'not set' : origin.source }
    return { ...toStatus(choice, describeUnusable(choice, file, input), input, key), problem: error.message }
  }
}

function toStatus(choice: Choice, determined: Determined, input: SessionInput, key: Setting): Status {
  return {
    profile: determined.profile,
    environment: determined.environment,
    base_url: determined.baseUrl ?? null,
    protect: determined.protect,
    fingerprint: key.value,
    settings: describeSettings(choice, determined, input, key),
    problem: null,
  }
}

/** The settings as far as they are known of a session that is refused. */
function describeUnusable({ name, baseUrl }: Choice, file: ProfileFile, { now }: SessionInput): Determined {
  const profile = name === null ? undefined : findProfile(file, name)
  const environment = name === null ? 'production' : environmentOf(name)
  return {
    profile: name,
    environment,
    baseUrl: baseUrl ?? profile?.baseUrl,
    protect: protectionNow(profile, environment, momentAt(now)),
    unlockReason: undefined,
    because: {
      environment: name === null ? 'base URL' : 'profile name',
      protect: profile?.protect ? 'profile' : 'default',
    },
  }
}
