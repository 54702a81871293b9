import { existsSync } from 'node:fs'
import { ConfigurationError, type ServiceFlags, UsageError } from '../base/errors.ts'
import type { Environment } from '../base/io.ts'
import { parseBaseUrl } from '../http/base-url.ts'
import { findProfile, type Profile, type ProfileFile, profileNotFound, sandboxProfile } from './profile.ts'

export interface GivenOrigin {
  from: 'file' | 'stdin' | 'variable'
  kind: 'key' | 'token'
  /** The path if `from` is `file`. The value if `from` is `variable`. */
  text: string
  source: string
}

/** The source of the key or token. The source is read later. */
export type CredentialOrigin =
  | GivenOrigin
  | { from: 'profile'; kind: 'key'; name: string; profile: Profile; source: string }
  | { from: 'nowhere' }

/** Value of `namedBy` if no flag, variable, or setting selects a profile. */
const builtIn = 'built in'

export interface ProfileChoice {
  /** Name of the profile. Null if the command uses a key without a profile. */
  name: string | null
  namedBy: string
  isUnselected: boolean
  baseUrl: string | undefined
  origin: CredentialOrigin
  /** A key in the environment that an explicit `--profile` overrides. */
  ignoredEnvironmentKey: GivenOrigin | undefined
}

/**
 * Selects the profile (see `nameProfile`) and the source of the key or token. The first source that is available is used: `--key-file`,
 * `--key-stdin`, or `--action-token`; FACESCAN_ACTION_TOKEN; FACESCAN_API_KEY[_FILE] without `--profile`; the key store of the profile.
 */
export function chooseProfile(flags: ServiceFlags, env: Environment, file: ProfileFile): ProfileChoice {
  const flagged = findFlaggedCredential(flags)
  const environmentKey = findEnvironmentKey(env)
  const environmentToken = fromVariable('token', 'FACESCAN_ACTION_TOKEN', env)
  const variable = env['FACESCAN_BASE_URL']
  const baseUrl = variable ? parseBaseUrl(variable, 'FACESCAN_BASE_URL') : undefined
  const given = flagged ?? environmentToken ?? environmentKey
  const { name, namedBy } = nameProfile(flags, env, file, { given, baseUrl })
  const profile = findProfile(file, name)
  if (!profile && name !== null && name !== sandboxProfile) throw profileNotFound(file, name, namedBy)
  const ignoredEnvironmentKey = flags.profile && given === environmentKey ? given : undefined
  const stored: CredentialOrigin =
    name !== null && profile
      ? { from: 'profile', kind: 'key', name, profile, source: `profile ${name}` }
      : { from: 'nowhere' }
  return {
    name,
    namedBy,
    isUnselected: namedBy === builtIn,
    baseUrl,
    origin: given && !ignoredEnvironmentKey ? given : stored,
    ignoredEnvironmentKey,
  }
}

export function findFlaggedCredential(flags: ServiceFlags): GivenOrigin | undefined {
  const flagged = [flags.keyFile, flags.keyStdin, flags.actionToken].filter(Boolean).length
  if (flagged > 1) {
    throw new UsageError('--key-file, --key-stdin, and --action-token cannot be used together', {
      hint: 'Use only one of them.',
    })
  }
  if (flags.keyStdin) return { from: 'stdin', kind: 'key', text: '', source: '--key-stdin' }
  if (flags.keyFile) return fromFlag('key', flags.keyFile, '--key-file')
  if (flags.actionToken) return fromFlag('token', flags.actionToken, '--action-token')
  return undefined
}

function findEnvironmentKey(env: Environment): GivenOrigin | undefined {
  const key = fromVariable('key', 'FACESCAN_API_KEY', env)
  const path = env['FACESCAN_API_KEY_FILE']
  if (key && path) {
    throw new ConfigurationError('FACESCAN_API_KEY and FACESCAN_API_KEY_FILE are both set', {
      hint: 'Unset one of them.',
    })
  }
  return path ? fromFile('key', path, 'FACESCAN_API_KEY_FILE') : key
}

function fromVariable(kind: GivenOrigin['kind'], source: string, env: Environment): GivenOrigin | undefined {
  const text = env[source]
  return text ? { from: 'variable', kind, text, source } : undefined
}

/** The key in a file. The file name is shown only if the file exists, because a user may have passed the key instead of a file name. */
function fromFile(kind: GivenOrigin['kind'], text: string, named: string): GivenOrigin {
  return { from: 'file', kind, text, source: existsSync(text) ? `${named} ${text}` : named }
}

function fromFlag(kind: GivenOrigin['kind'], text: string, flag: string): GivenOrigin {
  return text === '-' ? { from: 'stdin', kind, text, source: `${flag} -` } : fromFile(kind, text, flag)
}

/**
 * Selects the profile by the first rule that applies: `--profile`; FACESCAN_PROFILE; no profile if a flag or the environment contains a
 * key; the default profile; no profile if FACESCAN_BASE_URL is set; the built-in sandbox.
 */
function nameProfile(
  flags: ServiceFlags,
  env: Environment,
  file: ProfileFile,
  { given, baseUrl }: { given: GivenOrigin | undefined; baseUrl: string | undefined },
): { name: string | null; namedBy: string } {
  if (flags.profile) return { name: flags.profile, namedBy: '--profile' }
  if (env['FACESCAN_PROFILE']) return { name: env['FACESCAN_PROFILE'], namedBy: 'FACESCAN_PROFILE' }
  // A token does not contain the URL of its service. If no base URL is set, the token is sent to the service of the default profile.
  if (given && (given.kind === 'key' || baseUrl !== undefined)) return { name: null, namedBy: given.source }
  if (file.default && file.default !== sandboxProfile)
    return { name: file.default, namedBy: 'default profile' }
  if (baseUrl !== undefined) return { name: null, namedBy: 'FACESCAN_BASE_URL' }
  return { name: sandboxProfile, namedBy: file.default ? 'default profile' : builtIn }
}
