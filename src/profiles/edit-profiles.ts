import { ConfigurationError, FacescanError, RefusedError, UsageError } from '../base/errors.ts'
import type { Clock } from '../base/io.ts'
import { showWord } from '../base/text/show-word.ts'
import { loadKey, removeKey, type StoreAccess, saveKey } from './key-stores.ts'
import {
  environmentOf,
  findOwner,
  findProfile,
  isProfileName,
  momentAt,
  type Profile,
  type ProfileFile,
  type Protection,
  type StoreKind,
  sandboxProfile,
  type Unlock,
} from './profile.ts'
import { changeProfiles, readProfiles } from './profile-file.ts'
import { fingerprintOf, type Secret } from './secret.ts'

export interface EditAccess extends StoreAccess {
  clock: Clock
  /** The command that makes the change, such as `profiles add`. */
  command: string
}

export interface NewProfile {
  name: string
  baseUrl: string
  /** Absent with a key command. */
  secret?: Secret | undefined
  store: StoreKind
  keyCommand?: string | undefined
  /** Whether a profile of that name may be there already. */
  replace: boolean
}

export interface ProfileChanges {
  protect?: Protection | undefined
  baseUrl?: string | undefined
  keyCommand?: string | undefined
}

/** Throws where a profile may not have this name, or its key belongs to a profile of the other kind. */
export async function checkNewProfile(
  access: StoreAccess,
  { name, secret, store, replace }: Omit<NewProfile, 'baseUrl'>,
): Promise<void> {
  assertAddable(await readProfiles(access.paths), name, secret, replace)
  assertStoreFits(name, store)
}

/** Stores a key and its profile. Returns why the key that was replaced could not be removed, where it could not. */
export async function addProfile(access: EditAccess, added: NewProfile): Promise<string | undefined> {
  await checkNewProfile(access, added)
  const before = await changeProfiles(access.paths, async (file) => {
    assertAddable(file, added.name, added.secret, added.replace)
    const previous = findProfile(file, added.name)
    file.profiles[added.name] = await storeProfile(added, previous, access)
    return previous?.store
  })
  return before && before !== added.store ? removeOldKey(access, added.name, before) : undefined
}

/** Makes a profile the one that is used where none is named. */
export function useProfile(access: EditAccess, name: string): Promise<void> {
  return changeProfiles(access.paths, (file) => {
    if (name !== sandboxProfile) requireProfile(file, name)
    file.default = name
  })
}

export function setProfile(
  access: EditAccess,
  name: string,
  { protect, baseUrl, keyCommand }: ProfileChanges,
): Promise<void> {
  return changeProfiles(access.paths, (file) => {
    const profile = requireProfile(file, name)
    if (keyCommand !== undefined && profile.store !== 'command') throw notACommand(name)
    if (protect !== undefined) Object.assign(profile, { protect, unlock: undefined })
    if (baseUrl !== undefined) profile.baseUrl = baseUrl
    // The next key that the new command prints is trusted.
    if (keyCommand !== undefined) Object.assign(profile, { keyCommand, fingerprint: undefined })
  })
}

/** Lets confirmed changes through a read-only profile for a while. */
export function unlockProfile(
  access: EditAccess,
  name: string,
  { until, reason }: Pick<Unlock, 'until' | 'reason'>,
): Promise<void> {
  const { now: from, uptime: fromUptime } = momentAt(access.clock.now())
  return changeProfiles(access.paths, (file) => {
    const profile = requireProfile(file, name)
    if (profile.protect !== 'read-only') {
      throw new UsageError(`the profile ${name} is not read-only, so there is nothing to unlock`)
    }
    profile.unlock = { from, until, fromUptime, reason }
  })
}

/** Moves a key to another store. Returns why the old copy could not be removed, where it could not. */
export async function moveKey(
  access: EditAccess,
  name: string,
  store: Exclude<StoreKind, 'command'>,
): Promise<string | undefined> {
  assertStoreFits(name, store)
  const before = await changeProfiles(access.paths, async (file) => {
    const profile = requireProfile(file, name)
    const previous = profile.store
    if (previous === store) throw new UsageError(`the key of ${name} is in this store already`)
    const secret = await loadKey(name, profile, access)
    await saveKey(name, secret, store, access)
    Object.assign(profile, { store, fingerprint: fingerprintOf(secret), keyCommand: undefined })
    return previous
  })
  return removeOldKey(access, name, before)
}

/** Removes a profile with its key. Returns why the key could not be removed, where it could not. */
export function removeProfile(access: EditAccess, name: string): Promise<string | undefined> {
  return changeProfiles(access.paths, async (file) => {
    const profile = requireProfile(file, name)
    const leftBehind = await tryRemoveKey(name, profile.store, access)
    delete file.profiles[name]
    if (file.default === name) delete file.default
    return leftBehind
  })
}

export function requireProfile(file: ProfileFile, name: string): Profile {
  const profile = findProfile(file, name)
  if (profile) return profile
  if (name === sandboxProfile) throw new UsageError(`${sandboxProfile} is built in and cannot be changed`)
  throw new ConfigurationError(`there is no profile ${showWord(name)}`, {
    hint: 'See them with: facescan profiles list',
  })
}

function assertAddable(file: ProfileFile, name: string, secret: Secret | undefined, replace: boolean): void {
  if (name === sandboxProfile) throw new UsageError(`${sandboxProfile} is built in and needs no key`)
  if (!isProfileName(name)) {
    throw new UsageError('a profile cannot have this name', {
      hint: 'Use the alias of the key: letters, digits, dots, dashes and underscores, at most 64.',
    })
  }
  if (findProfile(file, name) && !replace) {
    throw new ConfigurationError(`there is a profile ${name} already`, {
      hint: 'Give --replace to put another key in its place.',
    })
  }
  const isProduction = environmentOf(name) === 'production'
  const owner = secret && findOwner(file, { fingerprint: fingerprintOf(secret) }, isProduction)
  if (!owner) return
  throw new RefusedError(
    `this key is stored as ${owner}, a ${environmentOf(owner)} profile; ${name} would be a ${environmentOf(name)} profile`,
    { hint: 'A name that ends in -DEV is a development profile, every other a production profile.' },
  )
}

/** Development keys lie in a file of their own and nowhere else, so that the two kinds never share a store. */
function assertStoreFits(name: string, store: StoreKind): void {
  if (store !== 'keyring' || environmentOf(name) === 'production') return
  throw new UsageError('the keyring is for production keys; development keys lie in a file of their own')
}

async function storeProfile(
  added: NewProfile,
  before: Profile | undefined,
  access: StoreAccess,
): Promise<Profile> {
  const { name, secret, store, baseUrl, keyCommand } = added
  const kept = { baseUrl, protect: before?.protect }
  if (store === 'command') return { ...kept, store, keyCommand }
  if (!secret) throw new UsageError('there is no key to store')
  await saveKey(name, secret, store, access)
  return { ...kept, store, fingerprint: fingerprintOf(secret) }
}

/** A step of its own, after the profile points to the new store: whatever happens on the way, the key is in one of them. */
function removeOldKey(access: StoreAccess, name: string, store: StoreKind): Promise<string | undefined> {
  return changeProfiles(access.paths, () => tryRemoveKey(name, store, access))
}

/** Says why a key could not be removed; a keyring that is gone is no reason to keep its profile. */
async function tryRemoveKey(
  name: string,
  store: StoreKind,
  access: StoreAccess,
): Promise<string | undefined> {
  try {
    await removeKey(name, store, access)
    return undefined
  } catch (error) {
    if (error instanceof FacescanError) return error.message
    throw error
  }
}

function notACommand(name: string): UsageError {
  return new UsageError(`the key of ${name} does not come from a key command`, {
    hint: `Use: facescan profiles add ${name} --replace --key-command '…'`,
  })
}
