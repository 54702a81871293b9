import { ConfigurationError, systemReason, UsageError } from '../base/errors.ts'
import { openInput } from '../base/files.ts'
import type { Input, Io } from '../base/io.ts'
import { assertOwnerForRoot, type Paths } from '../base/paths.ts'
import type { CredentialOrigin, GivenOrigin, ProfileChoice } from './choose-key.ts'
import type { StoreAccess } from './key-stores.ts'
import { environmentOf, findProfile, type ProfileFile, stores } from './profile.ts'
import { fingerprintOf, parseSecret, type Secret } from './secret.ts'

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

/**
 * Stores the fingerprint of the key that a key command prints, so that facescan recognizes the key if it comes from another source. In
 * production, the fingerprint of a new key replaces the stored fingerprint. In development, the first fingerprint stays.
 */
export async function rememberFingerprint(
  { origin }: ProfileChoice,
  credential: Credential,
  paths: Paths,
): Promise<void> {
  if (origin.from !== 'profile' || stores[origin.profile.store].keepsKey) return
  const { fingerprint } = credential
  const known = origin.profile.fingerprint
  const isRotated = known !== fingerprint && environmentOf(origin.name) === 'production'
  if (known !== undefined && !isRotated) return
  const change = (file: ProfileFile) => {
    const profile = findProfile(file, origin.name)
    if (profile && !stores[profile.store].keepsKey) profile.fingerprint = fingerprint
  }
  const { changeProfiles } = await import('./change-profiles.ts')
  await changeProfiles(paths, change).catch((error: unknown) => {
    // The fingerprint is not stored if the configuration directory is read-only, as in a container.
    if (!(error instanceof ConfigurationError)) throw error
  })
}

export function makeCredential(kind: Credential['kind'], secret: Secret, source: string): Credential {
  return {
    kind,
    secret,
    source,
    // Computed on demand, because a command that only reads does not need node:crypto.
    get fingerprint() {
      return fingerprintOf(secret)
    },
  }
}

/** Keys that were read from standard input. `doctor` reads the key twice, but standard input can be read only once. */
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

/** The file mode is not checked, because the files that a container mounts as secrets are often readable by a group. */
async function readSecretFromFile(path: string, source: string, signal: AbortSignal): Promise<Secret> {
  assertOwnerForRoot(path)
  // The file name may be a key that was passed by mistake, so it is not shown.
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

/** Reads a key or token from a pipe. Refuses a terminal, because it would show the typed text. */
async function readSecretFromStdin(stdin: Input, source: string): Promise<Secret> {
  if (stdin.isTTY) {
    throw new UsageError(`${source} requires piped input, but standard input is a terminal`, {
      hint: 'Pipe the key in, for example from a password manager.',
    })
  }
  return parseSecret(await readKeyText(stdin, source), source)
}

/** Reads the text of a key or token. Refuses long input, because a device can be endless. */
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
