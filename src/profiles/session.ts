import type { Clock } from '../base/clock.ts'
import { ConfigurationError, RefusedError, type ServiceFlags } from '../base/errors.ts'
import type { Io } from '../base/io.ts'
import type { Effect } from '../contract/endpoint.ts'
import { escapeControls } from '../output/text.ts'
import type { Terminal } from '../output/view.ts'
import { chooseProfile, type ProfileChoice } from './choose-key.ts'
import { type CarriedCredential, type Determined, determineSession } from './determine-session.ts'
import { momentAt, type ProfileFile, sandboxProfile } from './profile.ts'
import { readProfiles } from './profile-file.ts'
import type { Credential, CredentialAccess } from './read-key.ts'

export interface Session extends Determined {
  /** The key or token. Undefined for the sandbox, which needs no key. */
  credential: Credential | undefined
  /** Set only if the command uses the sandbox because neither a profile nor a key was selected. */
  unselected?: readonly string[] | undefined
  /** Reads the profile file again and returns the current protection. */
  current(): Promise<Determined>
}

export interface SessionInput extends CredentialAccess {
  flags: ServiceFlags
  clock: Pick<Clock, 'now'>
}

export interface Selection {
  file: ProfileFile
  choice: ProfileChoice
}

export async function selectProfile({
  flags,
  env,
  paths,
}: Pick<SessionInput, 'flags' | 'env' | 'paths'>): Promise<Selection> {
  const file = await readProfiles(paths)
  return { file, choice: chooseProfile(flags, env, file) }
}

/** Reads the key and determines the session. Throws if the key does not belong to the selected profile or base URL. */
export async function resolveSession(input: SessionInput, selection?: Selection): Promise<Session> {
  const { file, choice } = selection ?? (await selectProfile(input))
  const { origin } = choice
  const key = origin.from === 'nowhere' ? undefined : await import('./read-key.ts')
  const credential = await key?.readCredential(origin, input)
  const determined = await determine(choice, credential, file, input)
  if (credential) await key?.rememberFingerprint(choice, credential, input.paths)
  const unselected = choice.isUnselected ? Object.keys(file.profiles) : undefined
  const readAgain = async (latest: ProfileFile) =>
    assertSame(determined, await determine(choice, credential, latest, input))
  const current =
    determined.baseUrl === undefined
      ? async () => determined
      : () => readProfiles(input.paths).then(readAgain)
  return { ...determined, credential, unselected, current }
}

/** A text such as `production: ACME at api.example.com`. Undefined if the environment is not production. */
export function describeProduction({ environment, profile, baseUrl }: Place): string | undefined {
  if (environment !== 'production' || baseUrl === undefined) return undefined
  return `production: ${profile ?? 'API key (no profile)'} at ${new URL(baseUrl).host}`
}

type Place = Pick<Session, 'environment' | 'profile' | 'baseUrl'>

export interface Screen {
  io: Pick<Io, 'stderr'>
  readonly terminals: { readonly stderr: Terminal }
}

/** Names the production service before a question, in capital letters, so that the line is also visible without color. */
export function alertProduction(place: Place, { io, terminals }: Screen): void {
  const text = describeProduction(place)
  const { red, bold } = terminals.stderr
  if (text !== undefined)
    io.stderr.write(`${red(bold(escapeControls(text.replace('production', 'PRODUCTION'))))}\n`)
}

/** Throws if the service or the environment has changed since the confirmation. */
function assertSame(before: Determined, now: Determined): Determined {
  const { profile, environment, baseUrl } = now
  const isSame =
    before.profile === profile && before.environment === environment && before.baseUrl === baseUrl
  if (isSame) return now
  throw new RefusedError(`profile ${before.profile} was changed while the command was running`, {
    hint: 'Run the command again.',
  })
}

export async function determine(
  choice: ProfileChoice,
  credential: CarriedCredential | undefined,
  file: ProfileFile,
  input: SessionInput,
): Promise<Determined> {
  const ignored = choice.ignoredEnvironmentKey
  const ignoredFingerprint =
    ignored && (await (await import('./read-key.ts')).readCredential(ignored, input))?.fingerprint
  return determineSession({
    choice,
    file,
    credential,
    ignoredFingerprint,
    moment: momentAt(input.clock.now()),
  })
}

/**
 * Checks a command that uses the sandbox because nothing selects a profile or key. Without a terminal, allows only reading, and prints a
 * warning. Otherwise, a scheduled job could change the sandbox by mistake. On a terminal, refuses a change if another profile exists.
 */
export function checkUnselected(
  { unselected }: Pick<Session, 'unselected'>,
  effect: Effect,
  io: Pick<Io, 'stdin' | 'stderr'>,
): string | undefined {
  if (unselected === undefined) return undefined
  const hasTerminal = io.stderr.isTTY || io.stdin.isTTY
  if (hasTerminal && (effect === 'read' || unselected.length === 0)) return undefined
  if (effect === 'read') return `no profile is selected; using the built-in sandbox (${sandboxProfile})`
  const others = unselected.length === 0 ? '' : `, or with the profile of a service: ${unselected.join(', ')}`
  throw new ConfigurationError('no profile or API key is selected for a command that changes data', {
    hint: `Nothing was changed. Re-run with --profile ${sandboxProfile} for the built-in sandbox${others}`,
  })
}
