import { basename, dirname, join } from 'node:path'
import { writeConfFile } from './conf-file.ts'
import { readOwnerJson } from './owner-json.ts'
import type { ServiceEnvironment } from './profile.ts'
import { type KeyFile, keyFileSchema } from './profile-schema.ts'
import { parseSecret, type Secret } from './secret.ts'

/** Development and production keys lie in different files, so that a copy of one never carries the other. */
export function keyFilePath(directory: string, environment: ServiceEnvironment): string {
  return join(directory, environment === 'production' ? 'keys-production.json' : 'keys-development.json')
}

export async function readKeyFromFile(path: string, name: string): Promise<Secret | undefined> {
  const { keys } = await readKeys(path)
  const text = Object.hasOwn(keys, name) ? keys[name] : undefined
  return text === undefined ? undefined : parseSecret(text, `the key of ${name} in ${path}`)
}

/** The profiles whose keys lie in a file. */
export async function listKeyNames(path: string): Promise<string[]> {
  return Object.keys((await readKeys(path)).keys)
}

/** Stores a key, or removes it where `secret` is undefined. Call it inside `changeProfiles`, which holds the lock. */
export async function writeKeyToFile(path: string, name: string, secret: Secret | undefined): Promise<void> {
  const file = await readKeys(path)
  if (secret) file.keys[name] = secret.reveal()
  else delete file.keys[name]
  await writeConfFile(dirname(path), basename(path, '.json'), file)
}

async function readKeys(path: string): Promise<KeyFile> {
  return (await readOwnerJson(path, keyFileSchema)) ?? { version: 1, keys: {} }
}
