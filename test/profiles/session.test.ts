import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Environment } from '../../src/io.ts'
import type { SessionFlags } from '../../src/profiles/choose-profile.ts'
import { saveKey } from '../../src/profiles/key-stores.ts'
import { type Paths, resolvePaths } from '../../src/profiles/paths.ts'
import type { Profile } from '../../src/profiles/profile.ts'
import { changeProfiles } from '../../src/profiles/profile-file.ts'
import { fingerprintOf, Secret } from '../../src/profiles/secret.ts'
import { resolveSession, type Session } from '../../src/profiles/session.ts'

const now = Date.UTC(2026, 0, 1)
const developmentKey = 'dev.0!1-2_3@4.5!6-7_8@9.0!1-2_3@4.5!6-7_'
const productionKey = 'prd.0!1-2_3@4.5!6-7_8@9.0!1-2_3@4.5!6-7_'
const otherKey = 'oth.0!1-2_3@4.5!6-7_8@9.0!1-2_3@4.5!6-7_'

let directory: string
let paths: Paths

async function addProfile(name: string, key: string, more: Partial<Profile> = {}): Promise<void> {
  const secret = new Secret(key)
  await changeProfiles(paths, async (file) => {
    await saveKey(name, secret, 'file', { paths, env: {} })
    const baseUrl = `https://${name.toLowerCase()}.example`
    file.profiles[name] = { store: 'file', fingerprint: fingerprintOf(secret), baseUrl, ...more }
  })
}

function resolve(flags: SessionFlags, env: Environment = {}, stdin: string[] = []): Promise<Session> {
  return resolveSession({ flags, env, stdin: Readable.from(stdin), paths, now })
}

async function keyAndProfile(flags: SessionFlags, env: Environment = {}, stdin: string[] = []) {
  const session = await resolve(flags, env, stdin)
  return [session.profile, session.credential?.secret.reveal()]
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'facescan-session-'))
  paths = resolvePaths({
    FACESCAN_CONFIG_DIR: join(directory, 'config'),
    FACESCAN_STATE_DIR: join(directory, 'state'),
  })
})

describe('which profile and key a command uses', () => {
  beforeEach(async () => {
    await addProfile('ACME-DEV', developmentKey)
    await addProfile('ACME', productionKey)
    await changeProfiles(paths, (file) => {
      file.default = 'ACME-DEV'
    })
  })

  it('is the default profile when nothing else is said', async () => {
    expect(await keyAndProfile({})).toEqual(['ACME-DEV', developmentKey])
  })

  it('is FACESCAN_PROFILE before the default profile', async () => {
    expect(await keyAndProfile({}, { FACESCAN_PROFILE: 'ACME' })).toEqual(['ACME', productionKey])
  })

  it('is the key of FACESCAN_API_KEY before the one of FACESCAN_PROFILE', async () => {
    const env = { FACESCAN_PROFILE: 'ACME', FACESCAN_API_KEY: otherKey }
    const session = await resolve({}, env)
    expect(session.credential?.secret.reveal()).toBe(otherKey)
    expect(session).toMatchObject({
      profile: 'ACME',
      environment: 'production',
      baseUrl: 'https://acme.example',
    })
  })

  it('is --profile before FACESCAN_PROFILE', async () => {
    expect(await keyAndProfile({ profile: 'ACME-DEV' }, { FACESCAN_PROFILE: 'ACME' })).toEqual([
      'ACME-DEV',
      developmentKey,
    ])
  })

  it('is --key-file and --key-stdin before everything, with the service of the profile', async () => {
    const path = join(directory, 'key')
    await writeFile(path, `${otherKey}\n`)
    const env = { FACESCAN_API_KEY: developmentKey }
    expect(await keyAndProfile({ profile: 'ACME', keyFile: path }, env)).toEqual(['ACME', otherKey])
    expect(await keyAndProfile({ profile: 'ACME', keyStdin: true }, env, [otherKey])).toEqual([
      'ACME',
      otherKey,
    ])
    expect(await keyAndProfile({ profile: 'ACME', keyFile: '-' }, env, [otherKey])).toEqual([
      'ACME',
      otherKey,
    ])
  })

  it('is refused when a key in the environment is not the key of an explicit profile', async () => {
    const env = { FACESCAN_API_KEY: otherKey }
    await expect(resolve({ profile: 'ACME' }, env)).rejects.toMatchObject({ code: 'refused', exitCode: 12 })
    const agreeing = { FACESCAN_API_KEY: productionKey }
    expect(await keyAndProfile({ profile: 'ACME' }, agreeing)).toEqual(['ACME', productionKey])
  })

  it('is refused when a production key is used with a development profile', async () => {
    const env = { FACESCAN_PROFILE: 'ACME-DEV', FACESCAN_API_KEY: productionKey }
    await expect(resolve({}, env)).rejects.toMatchObject({ code: 'refused' })
  })

  it('is a configuration error when no profile has the name', async () => {
    await expect(resolve({ profile: 'NOBODY' })).rejects.toMatchObject({ code: 'configuration' })
    await expect(resolve({ profile: 'constructor' })).rejects.toMatchObject({ code: 'configuration' })
  })

  it('is the action token instead of a key where one is given', async () => {
    const path = join(directory, 'token')
    await writeFile(path, 'aaa.bbb.ccc\n')
    const session = await resolve({ profile: 'ACME', actionToken: path })
    expect(session.credential).toMatchObject({ kind: 'token', source: `--action-token ${path}` })
    const fromPipe = await resolve({ profile: 'ACME', actionToken: '-' }, {}, ['aaa.bbb', '.ccc'])
    expect(fromPipe.credential?.secret.reveal()).toBe('aaa.bbb.ccc')
    const fromVariable = await resolve({ profile: 'ACME' }, { FACESCAN_ACTION_TOKEN: 'aaa.bbb.ccc' })
    expect(fromVariable.credential).toMatchObject({ kind: 'token', source: 'FACESCAN_ACTION_TOKEN' })
  })

  it('is a usage error with two keys on the command line', async () => {
    const flags = { keyFile: 'a', actionToken: 'b' }
    await expect(resolve(flags)).rejects.toMatchObject({ code: 'usage' })
  })
})

describe('a key without a profile', () => {
  it('counts as a production key', async () => {
    const env = { FACESCAN_API_KEY: otherKey, FACESCAN_BASE_URL: 'https://api.example/' }
    const session = await resolve({}, env)
    expect(session).toMatchObject({ profile: 'none', environment: 'production', protect: 'confirm' })
    expect(session.baseUrl).toBe('https://api.example')
    expect(session.credential?.source).toBe('FACESCAN_API_KEY')
  })

  it('counts as a development key where the service is this machine', async () => {
    const env = { FACESCAN_API_KEY: otherKey, FACESCAN_BASE_URL: 'http://127.0.0.1:8787' }
    expect(await resolve({}, env)).toMatchObject({ environment: 'development', protect: 'off' })
  })

  it('does not borrow the service of the default profile', async () => {
    await addProfile('ACME-DEV', developmentKey)
    await changeProfiles(paths, (file) => {
      file.default = 'ACME-DEV'
    })
    await expect(resolve({}, { FACESCAN_API_KEY: otherKey })).rejects.toMatchObject({ code: 'configuration' })
  })
})

describe('with nothing configured', () => {
  it('is the built-in sandbox, without a key', async () => {
    const session = await resolve({})
    expect(session).toMatchObject({ profile: 'SANDBOX-DEV', environment: 'sandbox', protect: 'off' })
    expect(session.baseUrl).toBeUndefined()
    expect(session.credential).toBeUndefined()
  })

  it('works for a user without any home', async () => {
    paths = resolvePaths({}, 'linux', () => undefined)
    expect(await resolve({})).toMatchObject({ profile: 'SANDBOX-DEV' })
    await expect(changeProfiles(paths, () => undefined)).rejects.toMatchObject({ code: 'configuration' })
  })

  it('is no key at all where FACESCAN_BASE_URL leads to another machine', async () => {
    const env = { FACESCAN_BASE_URL: 'https://api.example' }
    await expect(resolve({}, env)).rejects.toMatchObject({ code: 'unauthenticated', exitCode: 3 })
  })

  it('refuses a base URL that is plain HTTP, holds a password or is no URL', async () => {
    for (const url of ['http://api.example', 'https://a:b@api.example', 'api.example', 'file:///etc']) {
      await expect(resolve({}, { FACESCAN_BASE_URL: url })).rejects.toMatchObject({ code: 'configuration' })
    }
  })
})

describe('protection', () => {
  it('is confirm for production and off for development until it is set', async () => {
    await addProfile('ACME', productionKey)
    await addProfile('ACME-DEV', developmentKey)
    expect((await resolve({ profile: 'ACME' })).protect).toBe('confirm')
    expect((await resolve({ profile: 'ACME-DEV' })).protect).toBe('off')
  })

  it('opens a read-only profile to confirmed changes until the unlock ends', async () => {
    await addProfile('ACME', productionKey, {
      protect: 'read-only',
      unlock: { until: now + 1, reason: 'ticket 7' },
    })
    expect(await resolve({ profile: 'ACME' })).toMatchObject({ protect: 'confirm', unlockReason: 'ticket 7' })
    await addProfile('ACME', productionKey, {
      protect: 'read-only',
      unlock: { until: now, reason: 'ticket 7' },
    })
    expect(await resolve({ profile: 'ACME' })).toMatchObject({
      protect: 'read-only',
      unlockReason: undefined,
    })
  })
})
