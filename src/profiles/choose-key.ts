import { existsSync } from 'node:fs'
import { ConfigurationError, systemReason, UsageError } from '../base/errors.ts'
import { openInput } from '../base/files.ts'
import type { Environment, Input, Io } from '../base/io.ts'
import { assertOwnerForRoot } from '../base/paths.ts'
import { parseBaseUrl } from '../http/base-url.ts'
import type { StoreAccess } from './key-stores.ts'
import { findProfile, type Profile, type ProfileFile, profileNotFound, sandboxProfile } from './profile.ts'
import { fingerprintOf, parseSecret, type Secret } from './secret.ts'

export interface SessionFlags {
  profile?: string | undefined
  keyFile?: string | undefined
  keyStdin?: boolean | undefined
  /** A file, or `-` for standard input. */
  actionToken?: string | undefined
}

/** The key or token from the command line or the environment. */
export interface GivenOrigin {
  from: 'file' | 'stdin' | 'variable'
  kind: 'key' | 'token'
  /** The path of the file, or the value of the variable. */
  text: string
  /** Name of the source in errors. */
  source: string
}

/** The source of the key or token. The key or token itself is read later. */
export type CredentialOrigin =
  | GivenOrigin
  | { from: 'profile'; kind: 'key'; name: string; profile: Profile; source: string }
  | { from: 'nowhere' }

/** Value of `namedBy` if no flag, variable, or setting selects a profile. */
const builtIn = 'built in'

/** The selected profile and the source of the key, before any key is read. */
export interface ProfileChoice {
  /** Name of the profile. Null for a key without a profile. */
  name: string | null
  /** The flag, variable or setting that selected the profile. */
  namedBy: string
  /** Whether nothing selects a profile or key, so the command uses the sandbox. */
  isUnselected: boolean
  baseUrl: string | undefined
  origin: CredentialOrigin
  /** A key in the environment that is not used because of an explicit `--profile`. */
  ignoredEnvironmentKey: GivenOrigin | undefined
}

/**
 * Selects the profile (the order is at `nameProfile`) and the source of the key or token. The order of the sources is: `--key-file`,
 * `--key-stdin`, or `--action-token`; FACESCAN_ACTION_TOKEN; FACESCAN_API_KEY[_FILE] without `--profile`; the key store of the profile.
 */
export function chooseProfile(flags: SessionFlags, env: Environment, file: ProfileFile): ProfileChoice {
  const flagged = findFlaggedCredential(flags)
  const environmentKey = findEnvironmentKey(env)
  const environmentToken = fromVariable('token', 'FACESCAN_ACTION_TOKEN', env)
  const variable = env['FACESCAN_BASE_URL']
  const baseUrl = variable ? parseBaseUrl(variable, 'FACESCAN_BASE_URL') : undefined
  const given = flagged ?? environmentToken ?? environmentKey
  const { name, namedBy } = nameProfile(flags, env, file, { given, baseUrl })
  const profile = name === null ? undefined : findProfile(file, name)
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

export function findFlaggedCredential(flags: SessionFlags): GivenOrigin | undefined {
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

/** The key in FACESCAN_API_KEY or in the file that FACESCAN_API_KEY_FILE names. */
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

/** The key in a file. The name is shown only if the file exists, because the text may be a key that was passed instead of a file name. */
function fromFile(kind: GivenOrigin['kind'], text: string, named: string): GivenOrigin {
  return { from: 'file', kind, text, source: existsSync(text) ? `${named} ${text}` : named }
}

/** The key or token from a flag. `-` is standard input. */
function fromFlag(kind: GivenOrigin['kind'], text: string, flag: string): GivenOrigin {
  return text === '-' ? { from: 'stdin', kind, text, source: `${flag} -` } : fromFile(kind, text, flag)
}

/**
 * Selects the profile. The order is: `--profile`, FACESCAN_PROFILE, no profile for a key from a flag or the environment, the default
 * profile, no profile with FACESCAN_BASE_URL, the built-in sandbox.
 */
function nameProfile(
  flags: SessionFlags,
  env: Environment,
  file: ProfileFile,
  { given, baseUrl }: { given: GivenOrigin | undefined; baseUrl: string | undefined },
): { name: string | null; namedBy: string } {
  if (flags.profile) return { name: flags.profile, namedBy: '--profile' }
  if (env['FACESCAN_PROFILE']) return { name: env['FACESCAN_PROFILE'], namedBy: 'FACESCAN_PROFILE' }
  // A token does not identify its service. Without a base URL, the token is used with the default profile.
  if (given && (given.kind === 'key' || baseUrl !== undefined)) return { name: null, namedBy: given.source }
  if (file.default && file.default !== sandboxProfile)
    return { name: file.default, namedBy: 'default profile' }
  if (baseUrl !== undefined) return { name: null, namedBy: 'FACESCAN_BASE_URL' }
  return { name: sandboxProfile, namedBy: file.default ? 'default profile' : builtIn }
}

export interface Credential {
  kind: 'key' | 'token'
  secret: Secret
  fingerprint: string
  /** Name of the source in authentication errors, such as `FACESCAN_API_KEY` or `profile ACME (system keyring)`. */
  source: string
}

export interface CredentialAccess extends StoreAccess {
  readonly io: Pick<Io, 'stdin'>
  readonly signal: AbortSignal
}

/** Reads the key or token. Undefined if there is none. */
export async function readCredential(
  origin: CredentialOrigin,
  access: CredentialAccess,
): Promise<Credential | undefined> {
  if (origin.from === 'nowhere') return undefined
  if (origin.from !== 'profile')
    return makeCredential(origin.kind, await readGiven(origin, access), origin.source)
  const { loadKey, nameStore } = await import('./key-stores.ts')
  const secret = await loadKey(origin.name, origin.profile, access)
  const store = nameStore(origin.name, origin.profile)
  return makeCredential('key', secret, `${origin.source} (${store})`)
}

export function makeCredential(kind: Credential['kind'], secret: Secret, source: string): Credential {
  return {
    kind,
    secret,
    source,
    // The fingerprint is computed on demand, because a command that only reads does not need node:crypto.
    get fingerprint() {
      return fingerprintOf(secret)
    },
  }
}

/** The key or token from standard input, by stream. `doctor` needs the key or token twice, but standard input can be read only once. */
const fromStdin = new WeakMap<Input, Promise<Secret>>()

export async function readGiven(
  { from, text, source }: GivenOrigin,
  access: Pick<CredentialAccess, 'io' | 'signal'>,
): Promise<Secret> {
  if (from === 'variable') return parseSecret(text, source)
  if (from === 'stdin') {
    const { stdin } = access.io
    const secret = fromStdin.get(stdin) ?? readSecretFromStdin(stdin, source)
    fromStdin.set(stdin, secret)
    return secret
  }
  return readSecretFromFile(text, source, access.signal)
}

/** Reads a key or token from a file. The mode is not checked, because groups can often read mounted secrets. */
async function readSecretFromFile(path: string, source: string, signal: AbortSignal): Promise<Secret> {
  assertOwnerForRoot(path)
  // The file name is not shown, because it may be a key that was passed instead of a file name.
  const [flag = ''] = source.split(' ')
  const read = openInput(path, signal).then((input) => readKeyText(input, flag))
  const text = await read.catch((error: unknown) => {
    signal.throwIfAborted()
    if (error instanceof UsageError) throw error
    throw new ConfigurationError(`${flag}: cannot read the file (${systemReason(error)})`, {
      hint: `Pass the name of a file that contains the key or token, not the key or token itself.`,
    })
  })
  return parseSecret(text, source)
}

/** Reads a key or token from a pipe. A terminal is refused, because it would show the typed text. */
async function readSecretFromStdin(stdin: Input, source: string): Promise<Secret> {
  if (stdin.isTTY) {
    throw new UsageError(`${source} requires piped input, but standard input is a terminal`, {
      hint: 'Pipe the key in, for example from a password manager.',
    })
  }
  return parseSecret(await readKeyText(stdin, source), source)
}

/** Reads the text of a key or token. Refuses a long input, because a device can have no end. */
async function readKeyText(input: AsyncIterable<string | Uint8Array>, source: string): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of input) {
    chunks.push(Buffer.from(chunk as Uint8Array))
    size += chunk.length
    if (size > 64 * 1_024)
      throw new UsageError(`${source}: the input is too large for a key (maximum 64 KiB)`)
  }
  return Buffer.concat(chunks).toString('utf8')
}
