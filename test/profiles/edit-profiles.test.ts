import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { resolvePaths } from '../../src/base/paths.ts'
import type { EditAccess } from '../../src/profiles/change-logged.ts'
import { changeProfiles } from '../../src/profiles/change-profiles.ts'
import {
  addProfile,
  checkNewProfile,
  moveKey,
  removeProfile,
  setProfile,
  unlockProfile,
  useProfile,
} from '../../src/profiles/edit-profiles.ts'
import { loadKey } from '../../src/profiles/key-stores.ts'
import type { Profile } from '../../src/profiles/profile.ts'
import { readProfiles } from '../../src/profiles/profile-file.ts'
import { fingerprintOf, Secret } from '../../src/profiles/secret.ts'
import { fakeClock } from '../helpers/clock.ts'

const developmentKey = new Secret('dev.0!1-2_3@4.5!6-7_8@9.0!1-2_3@4.5!6-7_')
const productionKey = new Secret('prd.0!1-2_3@4.5!6-7_8@9.0!1-2_3@4.5!6-7_')
const otherKey = new Secret('oth.0!1-2_3@4.5!6-7_8@9.0!1-2_3@4.5!6-7_')
const baseUrl = 'https://api.example'

let config: string
let access: EditAccess

beforeEach(async () => {
  config = join(await mkdtemp(join(tmpdir(), 'facescan-edit-')), 'config')
  // No session bus listens at this address, so the keyring never works.
  const env = { PATH: process.env['PATH'], DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' }
  const state = join(config, '..', 'state')
  const paths = resolvePaths({ FACESCAN_CONFIG_DIR: config, FACESCAN_STATE_DIR: state })
  access = { paths, env, clock: fakeClock(), command: 'profiles set' }
})

const add = (name: string, secret: Secret, more: { replace?: boolean } = {}) =>
  addProfile(access, { name, secret, baseUrl, store: 'file', replace: false, ...more })
const addCommand = (name: string, key: Secret, replace = false) =>
  addProfile(access, {
    name,
    baseUrl,
    secret: key,
    store: 'command',
    keyCommand: `echo '${key.reveal()}'`,
    replace,
  })
const profiles = async () => (await readProfiles(access.paths)).profiles
const profile = async (name: string) => (await profiles())[name] as Profile
const keyOf = async (name: string) => (await loadKey(name, await profile(name), access)).reveal()
const keysIn = async (file: 'development' | 'production') => {
  const path = join(config, `keys-${file}.json`)
  return existsSync(path) ? Object.keys(JSON.parse(await readFile(path, 'utf8')).keys) : undefined
}
const change = (name: string, changes: Partial<Profile>) =>
  changeProfiles(access.paths, (file) => {
    Object.assign(file.profiles[name] as Profile, changes)
  })

describe('adding a profile', () => {
  it('adding profiles stores production and development keys in separate files', async () => {
    await add('ACME-DEV', developmentKey)
    expect([await keysIn('development'), await keysIn('production')]).toEqual([['ACME-DEV'], undefined])
    await add('ACME', productionKey)
    expect([await keysIn('development'), await keysIn('production')]).toEqual([['ACME-DEV'], ['ACME']])
    expect(await keyOf('ACME')).toBe(productionKey.reveal())
    expect(await profile('ACME')).toEqual({
      store: 'file',
      baseUrl,
      fingerprint: fingerprintOf(productionKey),
    })
  })

  it('adding a profile with a key command stores the fingerprint of the key, and not the key', async () => {
    await addCommand('ACME', productionKey)
    const fingerprint = fingerprintOf(productionKey)
    const keyCommand = expect.any(String)
    expect(await profile('ACME')).toEqual({ store: 'command', baseUrl, keyCommand, fingerprint })
    await change('ACME', { fingerprint: fingerprintOf(otherKey) })
    expect(await keyOf('ACME')).toBe(productionKey.reveal())
    expect(await keysIn('production')).toBeUndefined()
  })

  it('adding a profile fails if another profile stores the same key', async () => {
    await add('ACME-DEV', developmentKey)
    await add('ACME', productionKey)
    await expect(add('OTHER', developmentKey)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('stored in profile ACME-DEV (development)'),
    })
    await expect(add('OTHER-DEV', productionKey)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('stored in profile ACME (production)'),
    })
    // The profile is refused, because a second profile with the same key could have another protection.
    await expect(add('OTHER', productionKey)).rejects.toMatchObject({ code: 'refused' })
    await addCommand('OTHER', otherKey)
    await setProfile(access, 'OTHER', { keyCommand: `echo '${productionKey.reveal()}'` })
    await expect(moveKey(access, 'OTHER', 'file')).rejects.toMatchObject({ code: 'refused' })
    expect(Object.keys(await profiles())).toEqual(['ACME-DEV', 'ACME', 'OTHER'])
  })

  it('adding a profile replaces an existing profile only with --replace, and keeps its protection', async () => {
    await add('ACME', productionKey)
    await setProfile(access, 'ACME', { protect: 'read-only' })
    await unlockProfile(access, 'ACME', { until: 7, reason: 'ticket 7' })
    await expect(add('ACME', otherKey)).rejects.toMatchObject({ code: 'configuration' })
    expect(await keyOf('ACME')).toBe(productionKey.reveal())
    expect(await add('ACME', otherKey, { replace: true })).toBeUndefined()
    expect(await keyOf('ACME')).toBe(otherKey.reveal())
    expect(await profile('ACME')).toEqual({
      store: 'file',
      baseUrl,
      fingerprint: fingerprintOf(otherKey),
      protect: 'read-only',
    })
  })

  it('if a stored key is replaced by a key command, the key file no longer contains the key', async () => {
    await add('ACME', productionKey)
    expect(await addCommand('ACME', otherKey, true)).toBeUndefined()
    expect(await keysIn('production')).toEqual([])
    expect(await keyOf('ACME')).toBe(otherKey.reveal())
  })

  it('replacing a profile reports that its old key could not be removed', async () => {
    await addCommand('ACME', productionKey)
    await change('ACME', { store: 'keyring' })
    await expect(keyOf('ACME')).rejects.toThrow('the system keyring')
    expect(await add('ACME', otherKey, { replace: true })).toContain('keyring')
    expect(await keyOf('ACME')).toBe(otherKey.reveal())
  })

  it('adding a profile fails if its key store is unsuitable, or if its name is reserved or invalid', async () => {
    const inKeyring = { name: 'ACME-DEV', secret: developmentKey, store: 'keyring', replace: false } as const
    await expect(checkNewProfile(access, inKeyring)).rejects.toThrow(
      'only production keys can be stored in the keyring',
    )
    await expect(checkNewProfile(access, { ...inKeyring, name: 'ACME' })).resolves.toBeUndefined()
    for (const name of ['SANDBOX-DEV', 'a b']) {
      await expect(add(name, developmentKey)).rejects.toMatchObject({ code: 'usage' })
    }
    expect(await profiles()).toEqual({})
  })
})

describe('changing the settings of a profile', () => {
  it('changing the protection of a profile ends its unlock, but changing the base URL does not', async () => {
    await add('ACME', productionKey)
    await setProfile(access, 'ACME', { protect: 'read-only' })
    await unlockProfile(access, 'ACME', { until: 7, reason: 'ticket 7' })
    await setProfile(access, 'ACME', { baseUrl: 'https://other.example' })
    expect(await profile('ACME')).toMatchObject({
      baseUrl: 'https://other.example',
      unlock: { from: 0, until: 7, fromUptime: expect.any(Number), reason: 'ticket 7' },
    })
    await setProfile(access, 'ACME', { protect: 'read-only' })
    expect(await profile('ACME')).toEqual({
      store: 'file',
      fingerprint: fingerprintOf(productionKey),
      protect: 'read-only',
      baseUrl: 'https://other.example',
    })
  })

  it('a key command can be changed only in a profile that uses a key command', async () => {
    await addCommand('ACME', productionKey)
    await setProfile(access, 'ACME', { keyCommand: `echo '${otherKey.reveal()}'` })
    await setProfile(access, 'ACME', { protect: 'read-only' })
    expect(await keyOf('ACME')).toBe(otherKey.reveal())
    await add('ACME-DEV', developmentKey)
    const refused = setProfile(access, 'ACME-DEV', { keyCommand: 'true', protect: 'confirm' })
    await expect(refused).rejects.toMatchObject({ code: 'usage' })
    expect(await profile('ACME-DEV')).not.toHaveProperty('protect')
  })

  it('only a read-only profile can be unlocked', async () => {
    await add('ACME', productionKey)
    const unlocking = unlockProfile(access, 'ACME', { until: 7, reason: 'ticket 7' })
    await expect(unlocking).rejects.toThrow('is not read-only')
    expect(await profile('ACME')).not.toHaveProperty('unlock')
  })

  it('changing a profile fails if the profile does not exist or is the sandbox', async () => {
    await expect(setProfile(access, 'NOBODY', { protect: 'off' })).rejects.toMatchObject({
      code: 'configuration',
    })
    await expect(setProfile(access, 'SANDBOX-DEV', { protect: 'off' })).rejects.toThrow('is built in')
    await expect(useProfile(access, 'NOBODY')).rejects.toMatchObject({ code: 'configuration' })
    await useProfile(access, 'SANDBOX-DEV')
    expect((await readProfiles(access.paths)).default).toBe('SANDBOX-DEV')
  })
})

describe('moving the key of a profile', () => {
  it('moving a key from a key command to a file stores the key and its fingerprint', async () => {
    await addCommand('ACME', productionKey)
    expect(await moveKey(access, 'ACME', 'file')).toBeUndefined()
    expect(await keyOf('ACME')).toBe(productionKey.reveal())
    expect(await profile('ACME')).toEqual({
      store: 'file',
      baseUrl,
      fingerprint: fingerprintOf(productionKey),
    })
  })

  it('moving a key fails if the key is already in the new store, or if the new store cannot be used', async () => {
    await add('ACME', productionKey)
    await add('ACME-DEV', developmentKey)
    await expect(moveKey(access, 'ACME', 'file')).rejects.toThrow('already stored in "file"')
    await expect(moveKey(access, 'ACME-DEV', 'keyring')).rejects.toMatchObject({ code: 'usage' })
    await expect(moveKey(access, 'ACME', 'keyring')).rejects.toMatchObject({ code: 'configuration' })
    expect(await keyOf('ACME')).toBe(productionKey.reveal())
    expect(await keyOf('ACME-DEV')).toBe(developmentKey.reveal())
  })
})

describe('removing a profile', () => {
  it('removing a profile removes its key and its role as the default profile', async () => {
    await add('ACME', productionKey)
    await add('OTHER', otherKey)
    await useProfile(access, 'ACME')
    expect(await removeProfile(access, 'OTHER')).toBeUndefined()
    expect((await readProfiles(access.paths)).default).toBe('ACME')
    expect(await removeProfile(access, 'ACME')).toBeUndefined()
    expect(await readProfiles(access.paths)).toEqual({ version: 1, profiles: {} })
    expect(await keysIn('production')).toEqual([])
  })

  it('a profile can be removed even if its keyring cannot be used, and removing a key command keeps the key files', async () => {
    await add('ACME', productionKey)
    await change('ACME', { store: 'keyring' })
    expect(await removeProfile(access, 'ACME')).toContain('keyring')
    await addCommand('ACME', otherKey)
    expect(await removeProfile(access, 'ACME')).toBeUndefined()
    expect(await profiles()).toEqual({})
    expect(await keysIn('production')).toEqual(['ACME'])
  })

  it('if other users can access the key file of a removed profile, a note states that the key remains', async () => {
    await add('ACME', productionKey)
    await chmod(join(config, 'keys-production.json'), 0o644)
    expect(await removeProfile(access, 'ACME')).toContain('other users can access')
    expect(await profiles()).toEqual({})
  })
})
