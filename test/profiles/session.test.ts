import { existsSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Environment } from '../../src/base/io.ts'
import { type Paths, resolvePaths } from '../../src/base/system/paths.ts'
import type { SessionFlags } from '../../src/profiles/choose-profile.ts'
import { removeKey, saveKey } from '../../src/profiles/key-stores.ts'
import type { Profile } from '../../src/profiles/profile.ts'
import { changeProfiles } from '../../src/profiles/profile-file.ts'
import { fingerprintOf, Secret } from '../../src/profiles/secret.ts'
import { describeSession, resolveSession, type Session } from '../../src/profiles/session.ts'

const now = Date.UTC(2026, 0, 1)
const developmentKey = 'dev.0!1-2_3@4.5!6-7_8@9.0!1-2_3@4.5!6-7_'
const productionKey = 'prd.0!1-2_3@4.5!6-7_8@9.0!1-2_3@4.5!6-7_'
const otherKey = 'oth.0!1-2_3@4.5!6-7_8@9.0!1-2_3@4.5!6-7_'

const { signal } = new AbortController()
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
  return resolveSession({ flags, env, stdin: Readable.from(stdin), signal, paths, now })
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

  it('is refused when a key is used with a profile of the other kind', async () => {
    const production = { FACESCAN_PROFILE: 'ACME-DEV', FACESCAN_API_KEY: productionKey }
    await expect(resolve({}, production)).rejects.toMatchObject({
      code: 'refused',
      message:
        'the key from FACESCAN_API_KEY belongs to ACME, a production profile, but the command runs as ACME-DEV (development)',
    })
    const development = { FACESCAN_PROFILE: 'ACME', FACESCAN_API_KEY: developmentKey }
    await expect(resolve({}, development)).rejects.toMatchObject({
      code: 'refused',
      details: { hint: 'Use the profile by name: --profile ACME-DEV' },
    })
  })

  it('is a configuration error when no profile has the name', async () => {
    const env = { FACESCAN_API_KEY: otherKey, FACESCAN_BASE_URL: 'https://api.example' }
    for (const name of ['NOBODY', 'constructor']) {
      await expect(resolve({ profile: name }, env)).rejects.toMatchObject({
        code: 'configuration',
        message: `there is no profile "${name}" (named by --profile)`,
      })
      const named = resolve({}, { ...env, FACESCAN_PROFILE: name })
      await expect(named).rejects.toThrow(`there is no profile "${name}" (named by FACESCAN_PROFILE)`)
    }
  })

  it('stays the default profile where FACESCAN_BASE_URL gives it another service', async () => {
    expect(await resolve({}, { FACESCAN_BASE_URL: 'https://api.example' })).toMatchObject({
      profile: 'ACME-DEV',
      environment: 'development',
      baseUrl: 'https://api.example',
    })
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

  it('is read from the file that FACESCAN_API_KEY_FILE names, or from FACESCAN_API_KEY, but not from both', async () => {
    const path = join(directory, 'key')
    await writeFile(path, `${otherKey}\n`)
    const env = { FACESCAN_PROFILE: 'ACME', FACESCAN_API_KEY_FILE: path }
    const session = await resolve({}, env)
    expect(session.credential?.secret.reveal()).toBe(otherKey)
    expect(session.credential?.source).toBe(`FACESCAN_API_KEY_FILE ${path}`)
    await expect(resolve({}, { ...env, FACESCAN_API_KEY: otherKey })).rejects.toThrow('are both set')
    await expect(resolve({ profile: 'ACME' }, env)).rejects.toThrow(
      `the key in FACESCAN_API_KEY_FILE ${path} is not the key of the profile ACME`,
    )
  })

  it('is never typed: a file that is not there is not quoted, a terminal is refused', async () => {
    const typed = resolve({ profile: 'ACME', keyFile: otherKey })
    await expect(typed).rejects.toThrow('the file named by --key-file cannot be read (ENOENT)')
    await expect(typed).rejects.not.toThrow(otherKey)
    const terminal = Object.assign(Readable.from([otherKey]), { isTTY: true })
    const flags = { profile: 'ACME', keyStdin: true }
    const reading = resolveSession({ flags, env: {}, stdin: terminal, signal, paths, now })
    await expect(reading).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('reads from a pipe'),
    })
  })

  it('is bounded: far more than a key on standard input is refused', async () => {
    const flags = { profile: 'ACME', keyStdin: true }
    await expect(resolve(flags, {}, Array(65).fill('k'.repeat(1_024)))).rejects.toThrow('far more than a key')
    const long = Array(64).fill('k'.repeat(1_024))
    expect((await keyAndProfile(flags, {}, long))[1]).toHaveLength(65_536)
  })

  it('is refused where the store holds another key than the one that was added', async () => {
    await changeProfiles(paths, () => saveKey('ACME', new Secret(otherKey), 'file', { paths, env: {} }))
    await expect(resolve({ profile: 'ACME' })).rejects.toThrow('is not the one that was added')
    await changeProfiles(paths, () => removeKey('ACME', 'file', { paths, env: {} }))
    await expect(resolve({ profile: 'ACME' })).rejects.toThrow(
      /the key of ACME is not in its store \(.*keys-/,
    )
  })

  it('comes from the program of a profile, whatever key that prints', async () => {
    await addProfile('ACME', productionKey, { store: 'command', keyCommand: `echo '${otherKey}'` })
    const session = await resolve({ profile: 'ACME' })
    expect(session.credential).toMatchObject({ source: 'profile ACME (key command)' })
    expect(session.credential?.secret.reveal()).toBe(otherKey)
    await addProfile('ACME', productionKey, { store: 'command' })
    await expect(resolve({ profile: 'ACME' })).rejects.toThrow(
      'names a key command as its store but has none',
    )
  })

  it('needs a service: a profile without a base URL is refused by its name', async () => {
    await addProfile('ACME', productionKey, { baseUrl: undefined })
    await expect(resolve({ profile: 'ACME' })).rejects.toMatchObject({
      message: 'the profile ACME has no base URL',
      details: { hint: expect.stringContaining('facescan profiles set ACME') },
    })
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
    expect(session).toMatchObject({ profile: null, environment: 'production', protect: 'confirm' })
    expect(session.baseUrl).toBe('https://api.example')
    expect(session.credential?.source).toBe('FACESCAN_API_KEY')
  })

  it('counts as a development key where the service is this machine', async () => {
    const env = { FACESCAN_API_KEY: otherKey, FACESCAN_BASE_URL: 'http://127.0.0.1:8787' }
    expect(await resolve({}, env)).toMatchObject({ environment: 'development', protect: 'off' })
  })

  it('may be the key of a development profile, guarded as one of production', async () => {
    await addProfile('ACME-DEV', developmentKey)
    const env = { FACESCAN_API_KEY: developmentKey, FACESCAN_BASE_URL: 'https://api.example' }
    expect(await resolve({}, env)).toMatchObject({ profile: null, protect: 'confirm' })
  })

  it('is refused where it is one of production and the service is this machine', async () => {
    await addProfile('ACME', productionKey)
    const env = { FACESCAN_API_KEY: productionKey, FACESCAN_BASE_URL: 'http://127.0.0.1:8787' }
    await expect(resolve({}, env)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('the command runs as a key without a profile (development)'),
      details: { hint: 'Use the profile by name: --profile ACME' },
    })
  })

  it('leaves an action token with the default profile, unless FACESCAN_BASE_URL says where it belongs', async () => {
    await addProfile('ACME-DEV', developmentKey)
    await changeProfiles(paths, (file) => {
      file.default = 'ACME-DEV'
    })
    const env = { FACESCAN_ACTION_TOKEN: 'a.b.c' }
    expect(await resolve({}, env)).toMatchObject({ profile: 'ACME-DEV', baseUrl: 'https://acme-dev.example' })
    expect(await resolve({}, { ...env, FACESCAN_BASE_URL: 'https://api.example' })).toMatchObject({
      profile: null,
      baseUrl: 'https://api.example',
    })
  })

  it('does not borrow the service of the default profile', async () => {
    await addProfile('ACME-DEV', developmentKey)
    await changeProfiles(paths, (file) => {
      file.default = 'ACME-DEV'
    })
    await expect(resolve({}, { FACESCAN_API_KEY: otherKey })).rejects.toMatchObject({
      code: 'configuration',
      message: 'the key has no base URL to go with',
      details: { hint: expect.stringContaining('name a profile with --profile') },
    })
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

describe('a session described', () => {
  const describeWith = (flags: SessionFlags, env: Environment = {}) =>
    describeSession({ flags, env, signal, stdin: Readable.from([]), paths, now })
  const sources = (settings: Session['settings']) =>
    Object.fromEntries(settings.map(({ name, value, source }) => [name, `${value} (${source})`]))

  beforeEach(() => addProfile('ACME', productionKey))

  it('says where each setting comes from, and shows the fingerprint of the key', async () => {
    const status = await describeWith({ profile: 'ACME' })
    const fingerprint = fingerprintOf(new Secret(productionKey))
    expect(status).toMatchObject({ profile: 'ACME', fingerprint, problem: null })
    expect(sources(status.settings)).toEqual({
      profile: 'ACME (--profile)',
      environment: 'production (profile name)',
      base_url: 'https://acme.example (profile ACME)',
      protect: 'confirm (default)',
      config_dir: `${paths.config} (platform)`,
      state_dir: `${paths.state} (platform)`,
      key: expect.stringMatching(
        new RegExp(`^${fingerprint} \\(profile ACME \\(.*keys-production.json\\)\\)$`),
      ),
    })
  })

  it('names the variables that decide, and who unlocked the profile', async () => {
    await addProfile('ACME', productionKey, {
      protect: 'read-only',
      unlock: { until: now + 1, reason: 'ticket 7' },
    })
    const env = {
      FACESCAN_CONFIG_DIR: paths.config,
      FACESCAN_STATE_DIR: paths.state,
      FACESCAN_PROFILE: 'ACME',
      FACESCAN_BASE_URL: 'https://other.example',
      FACESCAN_ACTION_TOKEN: 'a.b.c',
    }
    expect(sources((await describeWith({}, env)).settings)).toMatchObject({
      profile: 'ACME (FACESCAN_PROFILE)',
      base_url: 'https://other.example (FACESCAN_BASE_URL)',
      protect: 'confirm (unlocked: ticket 7)',
      config_dir: `${paths.config} (FACESCAN_CONFIG_DIR)`,
      state_dir: `${paths.state} (FACESCAN_STATE_DIR)`,
      key: expect.stringMatching(/\(action token: FACESCAN_ACTION_TOKEN\)$/),
    })
  })

  it('tells what is wrong in place of a key', async () => {
    await addProfile('ACME', productionKey, { baseUrl: undefined, protect: 'off' })
    const status = await describeWith({ profile: 'ACME' })
    expect(status).toMatchObject({
      base_url: null,
      fingerprint: null,
      problem: 'the profile ACME has no base URL',
    })
    expect(sources(status.settings)).toMatchObject({
      base_url: 'null (not set)',
      protect: 'off (profile)',
      key: 'null (profile ACME)',
    })
  })

  it('says that a key is missing', async () => {
    const status = await describeWith({}, { FACESCAN_BASE_URL: 'https://api.example' })
    expect(status.problem).toBe('there is no key for https://api.example')
    expect(sources(status.settings)['key']).toBe('null (not given)')
  })

  it('does not run a key command', async () => {
    await addProfile('ACME', productionKey, { store: 'command', keyCommand: `touch ${directory}/ran` })
    const { settings, problem } = await describeWith({ profile: 'ACME' })
    expect(sources(settings)['key']).toBe('null (profile ACME (key command, not run))')
    expect(problem).toBeNull()
    expect(existsSync(join(directory, 'ran'))).toBe(false)
  })

  it('says that the service decides about a key without a profile', async () => {
    const env = { FACESCAN_API_KEY: otherKey, FACESCAN_BASE_URL: 'https://api.example' }
    expect(sources((await describeWith({}, env)).settings)).toMatchObject({
      profile: 'null (FACESCAN_API_KEY)',
      environment: 'production (base URL)',
      base_url: 'https://api.example (FACESCAN_BASE_URL)',
      key: `${fingerprintOf(new Secret(otherKey))} (FACESCAN_API_KEY)`,
    })
  })

  it('needs no key for the sandbox', async () => {
    const status = await describeWith({})
    expect(status).toMatchObject({ profile: 'SANDBOX-DEV', base_url: null, fingerprint: null, problem: null })
    expect(sources(status.settings)).toMatchObject({
      profile: 'SANDBOX-DEV (built in)',
      base_url: 'null (in process)',
      key: 'null (not needed)',
    })
  })
})
