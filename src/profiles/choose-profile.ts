import { existsSync } from 'node:fs'
import { ConfigurationError, UsageError } from '../base/errors.ts'
import type { Environment } from '../base/io.ts'
import type { Paths } from '../base/system/paths.ts'
import { showWord } from '../base/text/show-word.ts'
import { isLoopback, parseBaseUrl } from '../http/base-url.ts'
import {
  currentUnlock,
  environmentOf,
  findProfile,
  type Profile,
  type ProfileFile,
  type Protection,
  protectionNow,
  type ServiceEnvironment,
  sandboxProfile,
} from './profile.ts'

/** The flags that decide who speaks to which service. */
export interface SessionFlags {
  profile?: string | undefined
  keyFile?: string | undefined
  keyStdin?: boolean | undefined
  /** A file, or `-` for standard input. */
  actionToken?: string | undefined
}

/** One line of `facescan status`: a value and where it comes from. */
export interface Setting {
  name: string
  value: string | null
  source: string
}

/** Where the key or token is to be read from; nothing has been read yet. */
export type CredentialOrigin =
  | { from: 'file'; kind: 'key' | 'token'; path: string; source: string }
  | { from: 'stdin'; kind: 'key' | 'token'; source: string }
  | { from: 'variable'; kind: 'key' | 'token'; text: string; source: string }
  | { from: 'profile'; kind: 'key'; name: string; profile: Profile; source: string }
  | { from: 'nowhere' }

/** What the flags, the environment and the profiles decide together, before any key is touched. */
export interface Choice {
  /** Null for a key that came without a profile. */
  name: string | null
  environment: ServiceEnvironment
  baseUrl: string | undefined
  protect: Protection
  unlockReason: string | undefined
  origin: CredentialOrigin
  settings: readonly Setting[]
}

/**
 * Decides which profile, service and key a command uses. A key that comes without a profile has no alias, so it counts as
 * a production key unless its base URL is this machine.
 */
export function chooseProfile(
  flags: SessionFlags,
  env: Environment,
  paths: Paths,
  file: ProfileFile,
  now: number,
): Choice {
  const given = findGivenCredential(flags, env)
  const named = nameProfile(flags, env, file, given)
  const profile = named.name === null ? undefined : findProfile(file, named.name)
  if (!profile && named.name !== null && named.name !== sandboxProfile) {
    throw new ConfigurationError(`there is no profile ${showWord(named.name)} (named by ${named.source})`, {
      hint: 'See them with: facescan profiles list',
    })
  }
  const url = findBaseUrl(env, profile, named.name)
  const bare = url.value !== undefined && isLoopback(url.value) ? 'development' : 'production'
  const environment = named.name === null ? bare : environmentOf(named.name)
  const protect = protectionNow(profile, environment, now)
  const unlockReason = currentUnlock(profile, now)?.reason
  return {
    name: named.name,
    environment,
    baseUrl: url.value,
    protect,
    unlockReason,
    origin: chooseOrigin(flags, given, named.name, profile),
    settings: [
      { name: 'profile', value: named.name, source: named.source },
      {
        name: 'environment',
        value: environment,
        source: named.name === null ? 'base URL' : 'profile name',
      },
      { name: 'base_url', value: url.value ?? null, source: url.source },
      { name: 'protect', value: protect, source: describeProtection(profile, unlockReason) },
      {
        name: 'config_dir',
        value: paths.config ?? null,
        source: env['FACESCAN_CONFIG_DIR'] ? 'FACESCAN_CONFIG_DIR' : 'platform',
      },
      {
        name: 'state_dir',
        value: paths.state ?? null,
        source: env['FACESCAN_STATE_DIR'] ? 'FACESCAN_STATE_DIR' : 'platform',
      },
    ],
  }
}

/** `--key-file`, `--key-stdin` and the action token win over everything; a key in the environment only over what is weaker. */
function findGivenCredential(flags: SessionFlags, env: Environment): CredentialOrigin {
  const flagged = [flags.keyFile, flags.keyStdin, flags.actionToken].filter(Boolean).length
  if (flagged > 1) {
    throw new UsageError('give one of --key-file, --key-stdin and --action-token', {
      hint: 'A request is made with one key or one action token.',
    })
  }
  if (flags.keyStdin) return { from: 'stdin', kind: 'key', source: '--key-stdin' }
  if (flags.keyFile) return fromFile(flags.keyFile, 'key', '--key-file')
  if (flags.actionToken) return fromFile(flags.actionToken, 'token', '--action-token')
  const token = env['FACESCAN_ACTION_TOKEN']
  if (token) return { from: 'variable', kind: 'token', text: token, source: 'FACESCAN_ACTION_TOKEN' }
  return findEnvironmentKey(env)
}

/** The key that FACESCAN_API_KEY or FACESCAN_API_KEY_FILE gives. */
export function findEnvironmentKey(env: Environment): CredentialOrigin {
  const key = env['FACESCAN_API_KEY']
  const path = env['FACESCAN_API_KEY_FILE']
  if (key && path) {
    throw new ConfigurationError('FACESCAN_API_KEY and FACESCAN_API_KEY_FILE are both set', {
      hint: 'Unset one of them.',
    })
  }
  if (key) return { from: 'variable', kind: 'key', text: key, source: 'FACESCAN_API_KEY' }
  if (path) return { from: 'file', kind: 'key', path, source: nameFile('FACESCAN_API_KEY_FILE', path) }
  return { from: 'nowhere' }
}

function fromFile(path: string, kind: 'key' | 'token', flag: string): CredentialOrigin {
  if (path === '-') return { from: 'stdin', kind, source: `${flag} -` }
  return { from: 'file', kind, path, source: nameFile(flag, path) }
}

/** A file that is not there is not named: it may be the key itself, given where its file is asked for. */
function nameFile(flag: string, path: string): string {
  return existsSync(path) ? `${flag} ${path}` : flag
}

function nameProfile(
  flags: SessionFlags,
  env: Environment,
  file: ProfileFile,
  given: CredentialOrigin,
): { name: string | null; source: string } {
  if (flags.profile) return { name: flags.profile, source: '--profile' }
  if (env['FACESCAN_PROFILE']) return { name: env['FACESCAN_PROFILE'], source: 'FACESCAN_PROFILE' }
  // A token says nothing about the service it belongs to, so it goes with the profile that would be used anyway.
  const bare = given.from !== 'nowhere' && (given.kind === 'key' || Boolean(env['FACESCAN_BASE_URL']))
  if (bare) return { name: null, source: given.source }
  if (file.default) return { name: file.default, source: 'default profile' }
  return { name: sandboxProfile, source: 'built in' }
}

function chooseOrigin(
  flags: SessionFlags,
  given: CredentialOrigin,
  name: string | null,
  profile: Profile | undefined,
): CredentialOrigin {
  const environmentKey =
    given.from !== 'nowhere' && given.kind === 'key' && given.source.startsWith('FACESCAN_')
  const outranked = Boolean(flags.profile) && environmentKey
  if (given.from !== 'nowhere' && !outranked) return given
  if (!profile || name === null) return { from: 'nowhere' }
  return { from: 'profile', kind: 'key', name, profile, source: `profile ${name}` }
}

function findBaseUrl(
  env: Environment,
  profile: Profile | undefined,
  name: string | null,
): { value: string | undefined; source: string } {
  const variable = env['FACESCAN_BASE_URL']
  if (variable) return { value: parseBaseUrl(variable, 'FACESCAN_BASE_URL'), source: 'FACESCAN_BASE_URL' }
  if (!profile?.baseUrl)
    return { value: undefined, source: name === sandboxProfile ? 'in process' : 'not set' }
  return { value: parseBaseUrl(profile.baseUrl, `profile ${name}`), source: `profile ${name}` }
}

function describeProtection(profile: Profile | undefined, unlockReason: string | undefined): string {
  if (unlockReason !== undefined) return `unlocked: ${unlockReason}`
  return profile?.protect ? 'profile' : 'default'
}
