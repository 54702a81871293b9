import { basename, dirname, join } from 'node:path'
import { ConfigurationError } from '../base/errors.ts'
import type { Environment } from '../base/io.ts'
import { type Paths, requireDirectory } from '../base/system/paths.ts'
import { readKeyFromCommand } from './key-command.ts'
import { readKeyFromKeyring, removeKeyFromKeyring, writeKeyToKeyring } from './keyring.ts'
import { environmentOf, type Profile, type ServiceEnvironment, type StoreKind } from './profile.ts'
import { readOwnerJson, writeConfFile } from './profile-file.ts'
import { type KeyFile, keyFileSchema } from './profile-schema.ts'
import { fingerprintOf, parseSecret, type Secret } from './secret.ts'

export interface StoreAccess {
  paths: Paths
  env: Environment
}

export function describeStore(name: string, profile: Profile, paths: Paths): string {
  if (profile.store === 'keyring') return 'system keyring'
  if (profile.store === 'command') return 'key command'
  return keyFileOf(name, paths)
}

/** The key of a profile, checked against the fingerprint it was added with. */
export async function loadKey(name: string, profile: Profile, access: StoreAccess): Promise<Secret> {
  const secret = await readKey(name, profile, access)
  const where = describeStore(name, profile, access.paths)
  if (!secret) {
    throw new ConfigurationError(`the key of ${name} is missing from its store (${where})`, {
      hint: `Add the key again: facescan profiles add ${name} --replace`,
    })
  }
  if (profile.fingerprint && profile.store !== 'command' && fingerprintOf(secret) !== profile.fingerprint) {
    throw new ConfigurationError(`the stored key of ${name} (${where}) differs from the key that was added`, {
      hint: `Add the correct key again: facescan profiles add ${name} --replace`,
    })
  }
  return secret
}

/** Saves a key in the keyring or in a file. Call it inside `changeProfiles`. */
export async function saveKey(
  name: string,
  secret: Secret,
  store: Exclude<StoreKind, 'command'>,
  { paths, env }: StoreAccess,
): Promise<void> {
  if (store === 'keyring') return writeKeyToKeyring(name, secret, env)
  return writeKeyToFile(keyFileOf(name, paths), name, secret)
}

/** Removes a key from a store, if it is there. Call it inside `changeProfiles`. */
export async function removeKey(name: string, store: StoreKind, { paths, env }: StoreAccess): Promise<void> {
  if (store === 'keyring') return removeKeyFromKeyring(name, env)
  if (store === 'command') return
  return writeKeyToFile(keyFileOf(name, paths), name, undefined)
}

function readKey(name: string, profile: Profile, { paths, env }: StoreAccess): Promise<Secret | undefined> {
  if (profile.store === 'keyring') return readKeyFromKeyring(name, env)
  if (profile.store === 'file') return readKeyFromFile(keyFileOf(name, paths), name)
  if (profile.keyCommand) return readKeyFromCommand(profile.keyCommand, name, env)
  throw new ConfigurationError(`profile ${name} has no key command`, {
    hint: `Set it: facescan profiles set ${name} --key-command '…'`,
  })
}

/** Development and production keys are in different files, so a copy of one file never contains the other keys. */
export function keyFilePath(directory: string, environment: ServiceEnvironment): string {
  return join(directory, environment === 'production' ? 'keys-production.json' : 'keys-development.json')
}

function keyFileOf(name: string, paths: Paths): string {
  return keyFilePath(requireDirectory(paths, 'config'), environmentOf(name))
}

export async function readKeyFromFile(path: string, name: string): Promise<Secret | undefined> {
  const { keys } = await readKeys(path)
  const text = Object.hasOwn(keys, name) ? keys[name] : undefined
  return text === undefined ? undefined : parseSecret(text, `the key of ${name} in ${path}`)
}

export async function listKeyNames(path: string): Promise<string[]> {
  return Object.keys((await readKeys(path)).keys)
}

/** Stores a key, or removes it if `secret` is undefined. */
export async function writeKeyToFile(path: string, name: string, secret: Secret | undefined): Promise<void> {
  const file = await readKeys(path)
  if (secret) file.keys[name] = secret.reveal()
  else delete file.keys[name]
  await writeConfFile(dirname(path), basename(path, '.json'), file)
}

async function readKeys(path: string): Promise<KeyFile> {
  return (await readOwnerJson(path, keyFileSchema)) ?? { version: 1, keys: {} }
}
