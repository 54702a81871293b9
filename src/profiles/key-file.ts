import { basename, dirname, join } from 'node:path'
import { readOwnerJson, writeConfFile } from './json-file.ts'
import type { ServiceEnvironment } from './profile.ts'
import { type KeyFile, keyFileSchema } from './profile-schema.ts'
import { parseSecret, type Secret } from './secret.ts'

/** Development and production keys are in different files, so a copy of one file never contains the other keys. */
export function keyFilePath(directory: string, environment: ServiceEnvironment): string {
  return join(directory, environment === 'production' ? 'keys-production.json' : 'keys-development.json')
}

export async function readKeyFromFile(path: string, name: string): Promise<Secret | undefined> {
  const { keys } = await readKeys(path)
  const text = Object.hasOwn(keys, name) ? keys[name] : undefined
  return text === undefined ? undefined : parseSecret(text, `the key of ${name} in ${path}`)
}

/** The names of the profiles whose keys are in a file. */
export async function listKeyNames(path: string): Promise<string[]> {
  return Object.keys((await readKeys(path)).keys)
}

/**
 * Stores a key, or removes it if `secret` is undefined. Call it inside `changeProfiles`, because `changeProfiles` holds
 * the lock.
 */
export async function writeKeyToFile(path: string, name: string, secret: Secret | undefined): Promise<void> {
  const file = await readKeys(path)
  if (secret) file.keys[name] = secret.reveal()
  else delete file.keys[name]
  await writeConfFile(dirname(path), basename(path, '.json'), file)
}

async function readKeys(path: string): Promise<KeyFile> {
  return (await readOwnerJson(path, keyFileSchema)) ?? { version: 1, keys: {} }
}
