import { ConfigurationError, FacescanError, RefusedError, UsageError } from '../base/errors.ts'
import { changeLogged, type EditAccess } from './change-logged.ts'
import { changeProfiles } from './change-profiles.ts'
import { keyStores, loadKey, type StoreAccess } from './key-stores.ts'
import {
  environmentOf,
  findProfile,
  momentAt,
  ownersOf,
  type Profile,
  type ProfileFile,
  profileNamePattern,
  requireProfile,
  type StoreKind,
  sandboxProfile,
  stores,
  type Unlock,
} from './profile.ts'
import { readProfiles } from './profile-file.ts'
import { fingerprintOf, type Secret } from './secret.ts'
import { auditText, type ProfileSetting, type SettingValues, settingNames, settings } from './settings.ts'

/** A profile to add. Its key may not have been read yet. */
interface Addition {
  name: string
  secret?: Secret
  store: StoreKind
  replace: boolean
}

interface NewProfile extends Addition {
  /** The key. If a key command printed the key, only the fingerprint of the key is stored. */
  secret: Secret
  baseUrl: string
  keyCommand?: string | undefined
}

/** Throws if the name or the key store is not allowed for the profile, or if another profile stores the same key. */
export async function checkNewProfile({ paths }: StoreAccess, added: Addition): Promise<void> {
  assertAddable(await readProfiles(paths), added)
}

/** Stores a key and its profile. Returns the reason if the replaced key could not be removed. */
export async function addProfile(access: EditAccess, added: NewProfile): Promise<string | undefined> {
  const { name, secret, store, baseUrl, keyCommand } = added
  const fingerprint = fingerprintOf(secret)
  let previous: StoreKind | undefined
  await changeLogged(access, { name, detail: `key store: ${store}` }, (file) => {
    assertAddable(file, added)
    const before = findProfile(file, name)
    previous = before?.store
    const { unlock, ...kept } = before ?? {}
    file.profiles[name] = { ...kept, store, baseUrl, keyCommand, fingerprint }
    return () => keyStores[store].write(name, secret, access)
  })
  return previous && previous !== store ? removeOldKey(access, name, previous) : undefined
}

export async function useProfile(access: EditAccess, name: string): Promise<void> {
  await changeLogged(access, { name, detail: 'default profile' }, (file) => {
    if (name !== sandboxProfile) requireProfile(file, name)
    file.default = name
  })
}

/** Changes settings. A setting that is undefined in `changes` stays unchanged. An empty text removes a setting. */
export async function setProfile(access: EditAccess, name: string, changes: SettingValues): Promise<void> {
  const changed = settingNames.filter((setting) => changes[setting] !== undefined)
  const detail = changed.map((setting) => auditText(setting, changes[setting])).join(', ')
  await changeLogged(access, { name, detail }, (file) => {
    const profile = requireProfile(file, name)
    if (changes.keyCommand !== undefined && stores[profile.store].keepsKey) {
      throw new UsageError(`profile ${name} does not use a key command`, {
        hint: `Replace the stored key with a key command: facescan profiles add ${name} --replace --key-command '…'`,
      })
    }
    for (const setting of changed) {
      const { resets = [] }: ProfileSetting = settings[setting]
      for (const field of resets) profile[field] = undefined
      Object.assign(profile, { [setting]: changes[setting] === '' ? undefined : changes[setting] })
    }
  })
}

export async function unlockProfile(
  access: EditAccess,
  name: string,
  { until, reason }: Pick<Unlock, 'until' | 'reason'>,
): Promise<void> {
  const { now: from, uptime: fromUptime } = momentAt(access.clock.now())
  const detail = `unlock until ${new Date(until).toISOString()}`
  await changeLogged(access, { name, detail, reason }, (file) => {
    requireReadOnly(file, name).unlock = { from, until, fromUptime, reason }
  })
}

export async function checkUnlock({ paths }: StoreAccess, name: string): Promise<void> {
  requireReadOnly(await readProfiles(paths), name)
}

function requireReadOnly(file: ProfileFile, name: string): Profile {
  const profile = requireProfile(file, name)
  if (profile.protect === 'read-only') return profile
  throw new UsageError(`profile ${name} is not read-only and does not need to be unlocked`)
}

/** Moves a key to another store. Returns the reason if the old copy could not be removed. */
export async function moveKey(
  access: EditAccess,
  name: string,
  store: StoreKind,
): Promise<string | undefined> {
  assertStoreFits(name, store)
  let previous: StoreKind | undefined
  await changeLogged(access, { name, detail: `key store: ${store}` }, async (file) => {
    const profile = requireProfile(file, name)
    previous = profile.store
    if (previous === store) throw new UsageError(`the key for ${name} is already stored in "${store}"`)
    const secret = await loadKey(name, profile, access)
    assertNotStored(file, name, secret)
    Object.assign(profile, { store, fingerprint: fingerprintOf(secret), keyCommand: undefined })
    return () => keyStores[store].write(name, secret, access)
  })
  return previous && removeOldKey(access, name, previous)
}

/** Removes a profile and its key. Returns the reason if the key could not be removed. */
export function removeProfile(access: EditAccess, name: string): Promise<string | undefined> {
  return changeLogged(access, { name, detail: 'profile and key' }, (file) => {
    const { store } = requireProfile(file, name)
    delete file.profiles[name]
    if (file.default === name) delete file.default
    return () => tryRemoveKey(name, store, access)
  })
}

function assertAddable(file: ProfileFile, { name, secret, store, replace }: Addition): void {
  if (name === sandboxProfile) throw new UsageError(`${sandboxProfile} is built in and needs no key`)
  if (!profileNamePattern.test(name)) {
    throw new UsageError(
      'invalid profile name (use up to 64 letters, digits, dots, dashes, or underscores)',
      { hint: 'Use the alias of the API key as the name.' },
    )
  }
  if (findProfile(file, name) && !replace) {
    throw new ConfigurationError(`profile ${name} already exists`, {
      hint: 'To replace its key, add --replace.',
    })
  }
  assertStoreFits(name, store)
  if (secret) assertNotStored(file, name, secret)
}

/** Throws if another profile stores the key, because one could be read-only, and the other could allow changes. */
function assertNotStored(file: ProfileFile, name: string, secret: Secret): void {
  const owner = ownersOf(file, fingerprintOf(secret)).find((other) => other !== name)
  if (owner === undefined) return
  throw new RefusedError(`this key is already stored in profile ${owner} (${environmentOf(owner)})`, {
    hint: `Use that profile: --profile ${owner}. To use another name, remove that profile first: facescan profiles remove ${owner}`,
  })
}

/** Throws if the store accepts only production keys and the key is for development. Development and production keys never share a store. */
function assertStoreFits(name: string, store: StoreKind): void {
  if (!stores[store].onlyProduction || environmentOf(name) === 'production') return
  throw new UsageError(
    `only production keys can be stored in the ${store}; development keys are stored in a file`,
  )
}

/** Removes the key from the old store. Call this after the profile was saved, so that an interruption does not lose the key. */
function removeOldKey(access: StoreAccess, name: string, store: StoreKind): Promise<string | undefined> {
  return changeProfiles(access.paths, () => tryRemoveKey(name, store, access))
}

/** Removes a key. Returns the reason of a failure, so that a profile can be removed even if the keyring is missing. */
async function tryRemoveKey(
  name: string,
  store: StoreKind,
  access: StoreAccess,
): Promise<string | undefined> {
  try {
    await keyStores[store].write(name, undefined, access)
    return undefined
  } catch (error) {
    if (error instanceof FacescanError) return error.message
    throw error
  }
}
