import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { resolvePaths } from '../../src/base/paths.ts'
import { changeProfiles } from '../../src/profiles/change-profiles.ts'
import { readProfiles } from '../../src/profiles/profile-file.ts'
import { fingerprintOf, Secret } from '../../src/profiles/secret.ts'
import { describeProduction, resolveSession, selectProfile } from '../../src/profiles/session.ts'
import {
  addProfile,
  clock,
  developmentKey,
  fromUptime,
  now,
  otherKey,
  paths,
  productionKey,
  resolve,
  signal,
  useEmptyHome,
} from './stored-profiles.ts'

useEmptyHome()

describe('a session without any configuration', () => {
  it('a command uses the built-in sandbox if no profile, key, or base URL is set', async () => {
    const session = await resolve({})
    expect(session).toMatchObject({ profile: 'SANDBOX-DEV', environment: 'sandbox', protect: 'off' })
    expect(session.baseUrl).toBeUndefined()
    expect(session.credential).toBeUndefined()
  })

  it('a command uses the sandbox if the user has no home directory', async () => {
    const noHome = resolvePaths({}, 'linux', () => undefined)
    const input = { flags: {}, env: {}, io: { stdin: Readable.from([]) }, signal, clock }
    expect(await resolveSession({ ...input, paths: noHome })).toMatchObject({ profile: 'SANDBOX-DEV' })
    await expect(changeProfiles(noHome, () => undefined)).rejects.toMatchObject({ code: 'configuration' })
  })

  it('a command exits with 3 if FACESCAN_BASE_URL is the URL of another machine and no key is set', async () => {
    const env = { FACESCAN_BASE_URL: 'https://api.example' }
    await expect(resolve({}, env)).rejects.toMatchObject({ code: 'unauthenticated', exitCode: 3 })
  })

  it('a command refuses a base URL that uses plain HTTP, contains a password, or is not a URL', async () => {
    for (const url of ['http://api.example', 'https://a:b@api.example', 'api.example', 'file:///etc']) {
      await expect(resolve({}, { FACESCAN_BASE_URL: url })).rejects.toMatchObject({ code: 'configuration' })
    }
  })
})

describe('the settings of a session', () => {
  it('reference values are shown in the sandbox and for a profile that enables them', async () => {
    await addProfile('ACME', productionKey, { reference: true })
    await addProfile('ACME-DEV', developmentKey)
    const env = { FACESCAN_API_KEY: otherKey, FACESCAN_BASE_URL: 'https://api.example' }
    const sessions = [
      await resolve({ profile: 'SANDBOX-DEV' }),
      await resolve({ profile: 'ACME' }),
      await resolve({ profile: 'ACME-DEV' }),
      await resolve({}, env),
    ]
    expect(sessions.map(({ reference = false }) => reference)).toEqual([true, true, false, false])
  })

  it('if two profiles have the same key, the session of one profile uses the audit command of the other profile', async () => {
    await addProfile('ACME-DEV', developmentKey)
    await addProfile('SAME-DEV', developmentKey, { auditCommand: 'logger' })
    await addProfile('OTHER-DEV', otherKey)
    const sessions = [
      await resolve({ profile: 'SAME-DEV' }),
      await resolve({ profile: 'ACME-DEV' }),
      await resolve({ profile: 'OTHER-DEV' }),
      await resolve({ profile: 'SANDBOX-DEV' }),
    ]
    expect(sessions.map(({ auditCommand }) => auditCommand)).toEqual([
      'logger',
      'logger',
      undefined,
      undefined,
    ])
  })

  it('a session lists the stored profiles only if nothing selects a profile', async () => {
    await addProfile('ACME-DEV', developmentKey)
    expect((await resolve({})).unselected).toEqual(['ACME-DEV'])
    expect((await resolve({ profile: 'SANDBOX-DEV' })).unselected).toBeUndefined()
  })

  it.each([
    ['production', 'ACME', 'https://acme.example:8443/v1', 'production: ACME at acme.example:8443'],
    ['production', null, 'https://acme.example', 'production: API key (no profile) at acme.example'],
  ] as const)(
    'in the environment %s, with the profile %s (null: none) and the base URL %s, a change prints "%s"',
    (environment, profile, baseUrl, text) => {
      expect(describeProduction({ environment, profile, baseUrl })).toBe(text)
    },
  )

  it.each([
    ['a production profile without a base URL', 'production', undefined],
    ['a development profile', 'development', 'https://acme.example'],
  ] as const)('a command prints no production warning for %s', (_, environment, baseUrl) => {
    expect(describeProduction({ environment, profile: 'ACME', baseUrl })).toBeUndefined()
  })
})

describe('the protection of a session', () => {
  it('the protection is "confirm" in production and "off" in development by default', async () => {
    await addProfile('ACME', productionKey)
    await addProfile('ACME-DEV', developmentKey)
    expect((await resolve({ profile: 'ACME' })).protect).toBe('confirm')
    expect((await resolve({ profile: 'ACME-DEV' })).protect).toBe('off')
  })

  it('an unlocked read-only profile has the protection "confirm" until the unlock expires', async () => {
    await addProfile('ACME', productionKey, {
      protect: 'read-only',
      unlock: { from: now, until: now + 60_000, fromUptime, reason: 'ticket 7' },
    })
    expect(await resolve({ profile: 'ACME' })).toMatchObject({
      protect: 'confirm',
      unlock: { reason: 'ticket 7' },
    })
    await addProfile('ACME', productionKey, {
      protect: 'read-only',
      unlock: { from: now - 60_000, until: now, fromUptime, reason: 'ticket 7' },
    })
    expect(await resolve({ profile: 'ACME' })).toMatchObject({
      protect: 'read-only',
      unlock: undefined,
    })
  })
})

describe('the fingerprint of a key command', () => {
  const stored = async (name: string) => (await readProfiles(paths)).profiles[name]?.fingerprint
  const printing = (key: string) => ({ store: 'command', keyCommand: `echo '${key}'` }) as const

  it('a profile without a fingerprint stores the fingerprint of the key that its key command returns', async () => {
    await addProfile('ACME', productionKey, { ...printing(productionKey), fingerprint: undefined })
    await resolve({ profile: 'ACME' })
    expect(await stored('ACME')).toBe(fingerprintOf(new Secret(productionKey)))
    const env = { FACESCAN_API_KEY: productionKey, FACESCAN_BASE_URL: 'http://127.0.0.1:45991' }
    await expect(resolve({}, env)).rejects.toMatchObject({ code: 'refused' })
  })

  it('a development profile trusts the first key that its key command prints', async () => {
    await addProfile('ACME-DEV', developmentKey, { ...printing(otherKey), fingerprint: undefined })
    const session = await resolve({ profile: 'ACME-DEV' })
    expect(session).toMatchObject({ environment: 'development', protect: 'off' })
    expect(await stored('ACME-DEV')).toBe(fingerprintOf(new Secret(otherKey)))
  })

  it('a command uses the key of its key command even if the fingerprint cannot be stored', async () => {
    await addProfile('ACME-DEV', developmentKey, { ...printing(developmentKey), fingerprint: undefined })
    const input = { flags: { profile: 'ACME-DEV' }, env: {}, io: { stdin: Readable.from([]) }, signal, clock }
    const selection = await selectProfile({ ...input, paths })
    const noHome = resolvePaths({}, 'linux', () => undefined)
    const session = await resolveSession({ ...input, paths: noHome }, selection)
    expect(session.credential?.secret.reveal()).toBe(developmentKey)
    expect(await stored('ACME-DEV')).toBeUndefined()
  })

  it('a profile with a key in a file does not store a fingerprint on first use', async () => {
    await addProfile('ACME', productionKey, { fingerprint: undefined })
    await resolve({ profile: 'ACME' })
    expect(await stored('ACME')).toBeUndefined()
  })

  it('a production profile updates its fingerprint if its key command prints a new key', async () => {
    await addProfile('ACME', productionKey, printing(otherKey))
    expect(await resolve({ profile: 'ACME' })).toMatchObject({
      environment: 'production',
      protect: 'confirm',
    })
    expect(await stored('ACME')).toBe(fingerprintOf(new Secret(otherKey)))
  })

  it('a development profile counts as production if its key command prints a different key than before', async () => {
    await addProfile('ACME-DEV', developmentKey, printing(otherKey))
    for (const _ of ['first', 'second']) {
      expect(await resolve({ profile: 'ACME-DEV' })).toMatchObject({
        environment: 'production',
        protect: 'confirm',
      })
    }
    expect(await stored('ACME-DEV')).toBe(fingerprintOf(new Secret(developmentKey)))
  })

  it('a key command that prints the key of another profile is refused', async () => {
    await addProfile('ACME', productionKey)
    await addProfile('ACME-DEV', developmentKey, { ...printing(productionKey), fingerprint: undefined })
    await expect(resolve({ profile: 'ACME-DEV' })).rejects.toMatchObject({
      code: 'refused',
      message:
        'the key from profile ACME-DEV belongs to profile ACME (production), but profile ACME-DEV (development) is selected',
    })
  })
})
