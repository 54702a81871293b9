import { basename, dirname, join } from 'node:path'
import * as z from 'zod/mini'
import { ConfigurationError } from '../base/errors.ts'
import { own } from '../base/functions.ts'
import type { Environment } from '../base/io.ts'
import { type Paths, requireDirectory } from '../base/paths.ts'
import { writeConfFile } from './change-profiles.ts'
import { readKeyFromCommand } from './key-command.ts'
import { findKeyringProblem, readKeyFromKeyring, writeKeyToKeyring } from './keyring.ts'
import { environmentOf, type Profile, type ServiceEnvironment, type StoreKind, stores } from './profile.ts'
import { readOwnerJson } from './profile-file.ts'
import { fingerprintOf, parseSecret, type Secret } from './secret.ts'

export interface StoreAccess {
  paths: Paths
  env: Environment
  signal?: AbortSignal
}

interface KeyStore {
  /** The file name in the configuration directory, for a store that uses a file. */
  fileName?(name: string): string
  read(name: string, profile: Profile, access: StoreAccess): Promise<Secret | undefined>
  /** Stores a key, or removes it if `secret` is undefined. Call it inside `changeProfiles`. */
  write(name: string, secret: Secret | undefined, access: StoreAccess): Promise<void>
  /** The reason why this machine cannot use the store, for `doctor`. Undefined for a store that always works. */
  findProblem: ((env: Environment) => Promise<string | undefined>) | undefined
}

export const keyStores: Readonly<Record<StoreKind, KeyStore>> = {
  keyring: {
    read: (name, _, { env }) => readKeyFromKeyring(name, env),
    write: (name, secret, { env }) => writeKeyToKeyring(name, secret, env),
    findProblem: findKeyringProblem,
  },
  file: {
    fileName: (name) => keyFileName(environmentOf(name)),
    read: (name, _, { paths }) => readKeyFromFile(keyFileOf(name, paths), name),
    write: (name, secret, { paths }) => writeKeyToFile(keyFileOf(name, paths), name, secret),
    findProblem: undefined,
  },
  command: {
    read: (name, { keyCommand }, { env, signal }) => {
      if (keyCommand) return readKeyFromCommand(keyCommand, name, env, { signal })
      throw new ConfigurationError(`profile ${name} has no key command`, {
        hint: `Set the key command: facescan profiles set ${name} --key-command '…'`,
      })
    },
    write: async () => undefined,
    findProblem: undefined,
  },
}

/** The name of the store, or of its file in the configuration directory. */
export function nameStore(name: string, { store }: Profile): string {
  return keyStores[store].fileName?.(name) ?? stores[store].title
}

/** The name of the store, or the path of its file. */
export function locateStore(name: string, { store }: Profile, paths: Paths): string {
  const file = keyStores[store].fileName?.(name)
  return file ? join(requireDirectory(paths, 'config'), file) : stores[store].title
}

/** The key of a profile. Throws if its fingerprint differs from the fingerprint of the added key. */
export async function loadKey(name: string, profile: Profile, access: StoreAccess): Promise<Secret> {
  const secret = await keyStores[profile.store].read(name, profile, access)
  const where = locateStore(name, profile, access.paths)
  if (!secret) {
    throw new ConfigurationError(`the key for ${name} was not found (${where})`, {
      hint: `Add the key again: facescan profiles add ${name} --replace`,
    })
  }
  if (
    profile.fingerprint &&
    stores[profile.store].keepsKey &&
    fingerprintOf(secret) !== profile.fingerprint
  ) {
    throw new ConfigurationError(
      `the stored key for ${name} (${where}) does not match the key that was added`,
      { hint: `Add the correct key again: facescan profiles add ${name} --replace` },
    )
  }
  return secret
}

/** Each environment has its own file, so that a copy of the development file contains no production key. */
function keyFileName(environment: ServiceEnvironment): string {
  return environment === 'production' ? 'keys-production.json' : 'keys-development.json'
}

export function keyFilePath(directory: string, environment: ServiceEnvironment): string {
  return join(directory, keyFileName(environment))
}

function keyFileOf(name: string, paths: Paths): string {
  return keyFilePath(requireDirectory(paths, 'config'), environmentOf(name))
}

const keyFile = z.object({ version: z.literal(1), keys: z.record(z.string(), z.string()) })

export async function readKeys(path: string): Promise<Record<string, string>> {
  return (await readOwnerJson(path, keyFile))?.keys ?? {}
}

export async function readKeyFromFile(path: string, name: string): Promise<Secret | undefined> {
  const keys = await readKeys(path)
  const text = own(keys, name)
  return text === undefined ? undefined : parseSecret(text, `the key for ${name} in ${path}`)
}

export async function writeKeyToFile(path: string, name: string, secret: Secret | undefined): Promise<void> {
  const { [name]: _, ...others } = await readKeys(path)
  const keys = secret ? { ...others, [name]: secret.reveal() } : others
  await writeConfFile(dirname(path), basename(path, '.json'), { version: 1, keys })
}
