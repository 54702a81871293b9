import { existsSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir, uptime } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Environment } from '../../src/base/io.ts'
import { type Paths, resolvePaths } from '../../src/base/paths.ts'
import type { SessionFlags } from '../../src/profiles/choose-key.ts'
import type { StatusSetting } from '../../src/profiles/describe-session.ts'
import { describeSession } from '../../src/profiles/describe-session.ts'
import { keyStores } from '../../src/profiles/key-stores.ts'
import { currentUnlock, type Profile } from '../../src/profiles/profile.ts'
import { changeProfiles, readProfiles } from '../../src/profiles/profile-file.ts'
import { fingerprintOf, Secret } from '../../src/profiles/secret.ts'
import {
  describeProduction,
  resolveSession,
  type Session,
  selectProfile,
} from '../../src/profiles/session.ts'

const now = Date.UTC(2026, 0, 1)
const developmentKey = 'dev.0!1-2_3@4.5!6-7_8@9.0!1-2_3@4.5!6-7_'
const productionKey = 'prd.0!1-2_3@4.5!6-7_8@9.0!1-2_3@4.5!6-7_'
const otherKey = 'oth.0!1-2_3@4.5!6-7_8@9.0!1-2_3@4.5!6-7_'

const clock = { now: () => now }
const { signal } = new AbortController()
const fromUptime = uptime() * 1_000
let directory: string
let paths: Paths

async function addProfile(name: string, key: string, more: Partial<Profile> = {}): Promise<void> {
  const secret = new Secret(key)
  await changeProfiles(paths, async (file) => {
    await keyStores.file.write(name, secret, { paths, env: {} })
    const baseUrl = `https://${name.toLowerCase()}.example`
    file.profiles[name] = { store: 'file', fingerprint: fingerprintOf(secret), baseUrl, ...more }
  })
}

function resolve(flags: SessionFlags, env: Environment = {}, stdin: string[] = []): Promise<Session> {
  return resolveSession({ flags, env, io: { stdin: Readable.from(stdin) }, signal, paths, clock })
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

describe('the profile and key of a command', () => {
  beforeEach(async () => {
    await addProfile('ACME-DEV', developmentKey)
    await addProfile('ACME', productionKey)
    await changeProfiles(paths, (file) => {
      file.default = 'ACME-DEV'
    })
  })

  it('a command uses the default profile and its key if no flag or variable selects another', async () => {
    expect(await keyAndProfile({})).toEqual(['ACME-DEV', developmentKey])
  })

  it('FACESCAN_PROFILE overrides the default profile', async () => {
    expect(await keyAndProfile({}, { FACESCAN_PROFILE: 'ACME' })).toEqual(['ACME', productionKey])
  })

  it('FACESCAN_API_KEY overrides the stored key of FACESCAN_PROFILE', async () => {
    const env = { FACESCAN_PROFILE: 'ACME', FACESCAN_API_KEY: otherKey }
    const session = await resolve({}, env)
    expect(session.credential?.secret.reveal()).toBe(otherKey)
    expect(session).toMatchObject({
      profile: 'ACME',
      environment: 'production',
      baseUrl: 'https://acme.example',
    })
  })

  it('--profile overrides FACESCAN_PROFILE', async () => {
    expect(await keyAndProfile({ profile: 'ACME-DEV' }, { FACESCAN_PROFILE: 'ACME' })).toEqual([
      'ACME-DEV',
      developmentKey,
    ])
  })

  it('--key-file and --key-stdin override every other key, but use the base URL of the profile', async () => {
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

  it('FACESCAN_API_KEY is refused if the profile on the command line stores another key', async () => {
    const env = { FACESCAN_API_KEY: otherKey }
    await expect(resolve({ profile: 'ACME' }, env)).rejects.toMatchObject({ code: 'refused', exitCode: 12 })
    const agreeing = { FACESCAN_API_KEY: productionKey }
    expect(await keyAndProfile({ profile: 'ACME' }, agreeing)).toEqual(['ACME', productionKey])
  })

  it('a key that is stored in two profiles has the stricter of the two protections', async () => {
    await changeProfiles(paths, ({ profiles }) => {
      const { ACME, ['ACME-DEV']: development } = profiles
      if (!ACME || !development) throw new Error('no profile')
      ACME.protect = 'read-only'
      ACME.fingerprint = development.fingerprint
    })
    const session = await resolve({ profile: 'ACME-DEV' })
    expect(session).toMatchObject({ profile: 'ACME-DEV', environment: 'production', protect: 'read-only' })
    await changeProfiles(paths, ({ profiles: { ACME } }) => {
      if (ACME) ACME.protect = undefined
    })
    expect(await resolve({ profile: 'ACME-DEV' })).toMatchObject({ protect: 'confirm' })
  })

  it('a key without a profile is refused if two profiles store the key', async () => {
    await addProfile('SAME', productionKey)
    const env = { FACESCAN_API_KEY: productionKey, FACESCAN_BASE_URL: 'https://acme.example' }
    await expect(resolve({}, env)).rejects.toThrow(
      'the key from FACESCAN_API_KEY belongs to profile ACME and SAME (production), but no profile is selected',
    )
  })

  it('a key that is passed for a profile is refused if another profile stores the key', async () => {
    const production = { FACESCAN_PROFILE: 'ACME-DEV', FACESCAN_API_KEY: productionKey }
    await expect(resolve({}, production)).rejects.toMatchObject({
      code: 'refused',
      message:
        'the key from FACESCAN_API_KEY belongs to profile ACME (production), but profile ACME-DEV (development) is selected',
    })
    const development = { FACESCAN_PROFILE: 'ACME', FACESCAN_API_KEY: developmentKey }
    await expect(resolve({}, development)).rejects.toMatchObject({
      code: 'refused',
      details: { hint: 'Use the profile that stores this key: --profile ACME-DEV' },
    })
  })

  it('an unknown profile is an error that names the setting that selected it', async () => {
    const env = { FACESCAN_API_KEY: otherKey, FACESCAN_BASE_URL: 'https://api.example' }
    for (const name of ['NOBODY', 'constructor']) {
      await expect(resolve({ profile: name }, env)).rejects.toMatchObject({
        code: 'configuration',
        message: `profile "${name}" not found (selected by --profile)`,
      })
      const named = resolve({}, { ...env, FACESCAN_PROFILE: name })
      await expect(named).rejects.toThrow(`profile "${name}" not found (selected by FACESCAN_PROFILE)`)
    }
  })

  it('FACESCAN_BASE_URL is refused if its origin is not the origin of the profile', async () => {
    for (const flags of [{}, { profile: 'ACME' }]) {
      for (const url of ['https://api.example', 'http://127.0.0.1:45991', 'https://acme.example:8443']) {
        await expect(resolve(flags, { FACESCAN_BASE_URL: url })).rejects.toMatchObject({
          code: 'refused',
          message: expect.stringContaining(`but FACESCAN_BASE_URL is ${url}`),
        })
      }
    }
    const env = { FACESCAN_BASE_URL: 'https://acme.example/proxy' }
    expect(await resolve({ profile: 'ACME' }, env)).toMatchObject({ baseUrl: 'https://acme.example/proxy' })
  })

  it('SANDBOX-DEV is refused together with a key or a base URL', async () => {
    const key = { FACESCAN_API_KEY: otherKey, FACESCAN_BASE_URL: 'https://api.example' }
    const path = join(directory, 'key')
    await writeFile(path, otherKey)
    const cases: [SessionFlags, Environment][] = [
      [{}, { FACESCAN_PROFILE: 'SANDBOX-DEV', ...key }],
      [{ profile: 'SANDBOX-DEV' }, key],
      [{ profile: 'SANDBOX-DEV', keyFile: path }, {}],
      [{ profile: 'SANDBOX-DEV' }, { FACESCAN_API_KEY: otherKey }],
      [{ profile: 'SANDBOX-DEV' }, { FACESCAN_BASE_URL: 'http://127.0.0.1:8787' }],
    ]
    for (const [flags, env] of cases) {
      await expect(resolve(flags, env)).rejects.toMatchObject({
        code: 'refused',
        message: expect.stringContaining('SANDBOX-DEV is the built-in sandbox and cannot be used with'),
      })
    }
  })

  it('a service on another machine counts as production unless the key is the stored key of a development profile', async () => {
    const env = { FACESCAN_PROFILE: 'ACME-DEV', FACESCAN_API_KEY: otherKey }
    expect(await resolve({}, env)).toMatchObject({
      profile: 'ACME-DEV',
      environment: 'production',
      protect: 'confirm',
    })
    const token = { FACESCAN_PROFILE: 'ACME-DEV', FACESCAN_ACTION_TOKEN: 'a.b.c' }
    expect(await resolve({}, token)).toMatchObject({ environment: 'production', protect: 'confirm' })
  })

  it('the key of a read-only profile stays read-only if it is read from a file, a variable, or standard input', async () => {
    await addProfile('ACME', productionKey, { protect: 'read-only' })
    const path = join(directory, 'key')
    await writeFile(path, productionKey)
    const env = { FACESCAN_BASE_URL: 'https://acme.example' }
    for (const session of [
      await resolve({ keyFile: path }, env),
      await resolve({ keyStdin: true }, env, [productionKey]),
      await resolve({}, { ...env, FACESCAN_API_KEY: productionKey }),
      await resolve({}, { FACESCAN_API_KEY_FILE: path }),
      await resolve({ profile: 'ACME', keyFile: path }),
    ]) {
      expect(session).toMatchObject({ profile: 'ACME', environment: 'production', protect: 'read-only' })
    }
  })

  it('an action token is used instead of the stored key', async () => {
    const path = join(directory, 'token')
    await writeFile(path, 'aaa.bbb.ccc\n')
    const session = await resolve({ profile: 'ACME', actionToken: path })
    expect(session.credential).toMatchObject({ kind: 'token', source: `--action-token ${path}` })
    const fromPipe = await resolve({ profile: 'ACME', actionToken: '-' }, {}, ['aaa.bbb', '.ccc'])
    expect(fromPipe.credential?.secret.reveal()).toBe('aaa.bbb.ccc')
    const fromVariable = await resolve({ profile: 'ACME' }, { FACESCAN_ACTION_TOKEN: 'aaa.bbb.ccc' })
    expect(fromVariable.credential).toMatchObject({ kind: 'token', source: 'FACESCAN_ACTION_TOKEN' })
  })

  it('a key is read from FACESCAN_API_KEY_FILE or FACESCAN_API_KEY, and refused if both are set', async () => {
    const path = join(directory, 'key')
    await writeFile(path, `${otherKey}\n`)
    const env = { FACESCAN_PROFILE: 'ACME', FACESCAN_API_KEY_FILE: path }
    const session = await resolve({}, env)
    expect(session.credential?.secret.reveal()).toBe(otherKey)
    expect(session.credential?.source).toBe(`FACESCAN_API_KEY_FILE ${path}`)
    await expect(resolve({}, { ...env, FACESCAN_API_KEY: otherKey })).rejects.toThrow('are both set')
    await expect(resolve({ profile: 'ACME' }, env)).rejects.toThrow(
      `the key in FACESCAN_API_KEY_FILE ${path} does not match the key stored for profile ACME`,
    )
  })

  it('a missing key file is reported without its path, and a terminal is refused as the source of a key', async () => {
    const typed = resolve({ profile: 'ACME', keyFile: otherKey })
    await expect(typed).rejects.toThrow('--key-file: cannot read the file (no such file or directory)')
    await expect(typed).rejects.not.toThrow(otherKey)
    const terminal = Object.assign(Readable.from([otherKey]), { isTTY: true })
    const flags = { profile: 'ACME', keyStdin: true }
    const reading = resolveSession({ flags, env: {}, io: { stdin: terminal }, signal, paths, clock })
    await expect(reading).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('requires piped input'),
    })
  })

  it('--key-stdin refuses input that is far longer than a key', async () => {
    const flags = { profile: 'ACME', keyStdin: true }
    await expect(resolve(flags, {}, Array(65).fill('k'.repeat(1_024)))).rejects.toThrow(
      'the input is too large for a key',
    )
    const long = Array(64).fill('k'.repeat(1_024))
    expect((await keyAndProfile(flags, {}, long))[1]).toHaveLength(65_536)
  })

  it('a stored key is refused if it is not the key that was added to the profile', async () => {
    await changeProfiles(paths, () => keyStores.file.write('ACME', new Secret(otherKey), { paths, env: {} }))
    await expect(resolve({ profile: 'ACME' })).rejects.toThrow('does not match the key that was added')
    await changeProfiles(paths, () => keyStores.file.write('ACME', undefined, { paths, env: {} }))
    await expect(resolve({ profile: 'ACME' })).rejects.toThrow(/the key for ACME was not found \(.*keys-/)
  })

  it('a profile with a key command uses the key that the command prints', async () => {
    await addProfile('ACME', otherKey, { store: 'command', keyCommand: `echo '${otherKey}'` })
    const session = await resolve({ profile: 'ACME' })
    expect(session.credential).toMatchObject({ source: 'profile ACME (key command)' })
    expect(session.credential?.secret.reveal()).toBe(otherKey)
    await addProfile('ACME', productionKey, { store: 'command' })
    await expect(resolve({ profile: 'ACME' })).rejects.toThrow('has no key command')
  })

  it('a profile without a base URL is refused', async () => {
    await addProfile('ACME', productionKey, { baseUrl: undefined })
    await expect(resolve({ profile: 'ACME' })).rejects.toMatchObject({
      message: 'profile ACME has no base URL',
      details: { hint: expect.stringContaining('facescan profiles set ACME') },
    })
  })

  it('two flags that set a key on the command line cause a usage error', async () => {
    const flags = { keyFile: 'a', actionToken: 'b' }
    await expect(resolve(flags)).rejects.toMatchObject({ code: 'usage' })
  })
})

describe('a key without a profile', () => {
  it('a key without a profile counts as a production key', async () => {
    const env = { FACESCAN_API_KEY: otherKey, FACESCAN_BASE_URL: 'https://api.example/' }
    const session = await resolve({}, env)
    expect(session).toMatchObject({ profile: null, environment: 'production', protect: 'confirm' })
    expect(session.baseUrl).toBe('https://api.example')
    expect(session.credential?.source).toBe('FACESCAN_API_KEY')
  })

  it('a key without a profile counts as a development key if the service runs on this machine', async () => {
    const env = { FACESCAN_API_KEY: otherKey, FACESCAN_BASE_URL: 'http://127.0.0.1:8787' }
    expect(await resolve({}, env)).toMatchObject({ environment: 'development', protect: 'off' })
  })

  it('a key without a profile uses the settings of the profile that stores the key', async () => {
    await addProfile('ACME-DEV', developmentKey)
    const expected = { profile: 'ACME-DEV', environment: 'development', baseUrl: 'https://acme-dev.example' }
    expect(await resolve({}, { FACESCAN_API_KEY: developmentKey })).toMatchObject(expected)
    const env = { FACESCAN_API_KEY: developmentKey, FACESCAN_BASE_URL: 'https://api.example' }
    await expect(resolve({}, env)).rejects.toMatchObject({ code: 'refused' })
  })

  it('a key passed without a profile is refused for a service on this machine if a production profile stores the key', async () => {
    await addProfile('ACME', productionKey)
    const env = { FACESCAN_API_KEY: productionKey, FACESCAN_BASE_URL: 'http://127.0.0.1:8787' }
    await expect(resolve({}, env)).rejects.toMatchObject({
      code: 'refused',
      message: 'profile ACME is for https://acme.example, but FACESCAN_BASE_URL is http://127.0.0.1:8787',
    })
  })

  it('an action token uses the default profile unless FACESCAN_BASE_URL is set', async () => {
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

  it('a key without a profile does not use the base URL of the default profile', async () => {
    await addProfile('ACME-DEV', developmentKey)
    await changeProfiles(paths, (file) => {
      file.default = 'ACME-DEV'
    })
    await expect(resolve({}, { FACESCAN_API_KEY: otherKey })).rejects.toMatchObject({
      code: 'configuration',
      message: 'no base URL is set for the key from FACESCAN_API_KEY',
      details: { hint: expect.stringContaining('select a profile with --profile') },
    })
  })
})

describe('without any configuration', () => {
  it('a command uses the built-in sandbox if no profile, key, or base URL is set', async () => {
    const session = await resolve({})
    expect(session).toMatchObject({ profile: 'SANDBOX-DEV', environment: 'sandbox', protect: 'off' })
    expect(session.baseUrl).toBeUndefined()
    expect(session.credential).toBeUndefined()
  })

  it('a command uses the sandbox if the user has no home directory', async () => {
    paths = resolvePaths({}, 'linux', () => undefined)
    expect(await resolve({})).toMatchObject({ profile: 'SANDBOX-DEV' })
    await expect(changeProfiles(paths, () => undefined)).rejects.toMatchObject({ code: 'configuration' })
  })

  it('a command exits with 3 if FACESCAN_BASE_URL names another machine and no key is set', async () => {
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
  it('reference values are shown in the sandbox, and for a profile that enables them', async () => {
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

  it('the audit command of a profile also receives changes that another profile makes with the same key', async () => {
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
    'for the %s profile %s (null: none) at %s, a command prints "%s" before a change',
    (environment, profile, baseUrl, text) => {
      expect(describeProduction({ environment, profile, baseUrl })).toBe(text)
    },
  )

  it.each([
    ['a production profile without a base URL', 'production', undefined],
    ['a development profile', 'development', 'https://acme.example'],
  ] as const)('for %s, a command prints no production warning', (_, environment, baseUrl) => {
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

  it('a read-only profile has the protection "confirm" until its unlock expires', async () => {
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

  it('a profile stores the fingerprint of its key command on first use, and recognizes the same key in FACESCAN_API_KEY', async () => {
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

  it('a profile whose key is stored in a file does not store the fingerprint of that key', async () => {
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

  it('a development profile counts as production if its key command prints a key that does not match the fingerprint', async () => {
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

describe('a profile that another process changes during a command', () => {
  const edit = (change: (profile: Profile, profiles: Record<string, Profile>) => void) =>
    changeProfiles(paths, ({ profiles }) => {
      for (const profile of Object.values(profiles)) change(profile, profiles)
    })
  const addCommand = () =>
    addProfile('ACME-DEV', developmentKey, { store: 'command', keyCommand: `echo '${developmentKey}'` })

  it.each<[change: string, ...Parameters<typeof edit>]>([
    ['another base URL', (profile) => Object.assign(profile, { baseUrl: 'https://other.example' })],
    [
      'the fingerprint of another key, so that it counts as production',
      (profile) => Object.assign(profile, { fingerprint: fingerprintOf(new Secret(otherKey)) }),
    ],
  ])('a command sends no further change if its profile has %s', async (_, change) => {
    await addCommand()
    const { current } = await resolve({ profile: 'ACME-DEV' })
    await edit(change)
    await expect(current()).rejects.toMatchObject({
      code: 'refused',
      message: 'profile ACME-DEV was changed while the command was running',
    })
  })

  it('a command with a key but no profile sends no further change after the profile that stores the key is removed', async () => {
    await addProfile('ACME', productionKey)
    const env = { FACESCAN_API_KEY: productionKey, FACESCAN_BASE_URL: 'https://acme.example' }
    const { current } = await resolve({}, env)
    await edit((_, profiles) => delete profiles['ACME'])
    await expect(current()).rejects.toThrow('profile ACME was changed while the command was running')
  })

  let time: number
  const resolveLater = (profile: string) => {
    time = now
    const io = { stdin: Readable.from([]) }
    return resolveSession({ flags: { profile }, env: {}, io, signal, paths, clock: { now: () => time } })
  }

  it('a command uses the new protection of its profile after at most a second, or if the clock is set back', async () => {
    await addCommand()
    const { current } = await resolveLater('ACME-DEV')
    expect((await current()).protect).toBe('off')
    await edit((profile) => Object.assign(profile, { protect: 'read-only' }))
    time += 999
    expect((await current()).protect).toBe('off')
    time += 1
    expect((await current()).protect).toBe('read-only')
    await edit((profile) => Object.assign(profile, { protect: 'confirm' }))
    time -= 3_600_000
    expect((await current()).protect).toBe('confirm')
  })

  it('a command uses the protection that its profile has when an unlock ends', async () => {
    const unlock = { from: now, until: now + 60_000, fromUptime, reason: 'ticket 7' }
    await addProfile('ACME', productionKey, { protect: 'read-only', unlock })
    const { current } = await resolveLater('ACME')
    time = now + 59_500
    expect((await current()).protect).toBe('confirm')
    await edit((profile) => Object.assign(profile, { protect: 'off', unlock: undefined }))
    time = now + 59_999
    expect((await current()).protect).toBe('confirm')
    time = now + 60_000
    expect((await current()).protect).toBe('off')
  })

  it('a command in the sandbox does not read the profiles again', async () => {
    await addProfile('ACME', productionKey)
    const { current } = await resolve({ profile: 'SANDBOX-DEV' })
    await writeFile(join(directory, 'config', 'profiles.json'), 'damaged')
    expect(await current()).toMatchObject({ profile: 'SANDBOX-DEV', protect: 'off' })
  })
})

describe('a profile that is unlocked', () => {
  const protectAt = async (at: number) =>
    (
      await resolveSession({
        flags: { profile: 'ACME' },
        env: {},
        io: { stdin: Readable.from([]) },
        signal,
        paths,
        clock: { now: () => at },
      })
    ).protect
  const unlocked = (unlock: Profile['unlock']) =>
    addProfile('ACME', productionKey, { protect: 'read-only', unlock })

  it('a profile is not unlocked again if the clock is set back after the unlock expired', async () => {
    await unlocked({ from: now, until: now + 60_000, fromUptime: fromUptime - 60_000, reason: 'ticket 7' })
    expect(await protectAt(now + 1)).toBe('read-only')
  })

  it('an unlock is not active before its start, after a restart, or if the uptime of the machine is not available', async () => {
    await unlocked({ from: now, until: now + 60_000, fromUptime, reason: 'ticket 7' })
    expect([await protectAt(now), await protectAt(now - 1)]).toEqual(['confirm', 'read-only'])
    await unlocked({ from: now, until: now + 60_000, fromUptime: fromUptime + 3_600_000, reason: 'ticket 7' })
    expect(await protectAt(now)).toBe('read-only')
    await unlocked({ until: now + 60_000, reason: 'ticket 7' })
    expect(await protectAt(now)).toBe('read-only')
  })
})

it.each([
  [0, 0, 'active'],
  [59_999, 59_999, 'active'],
  [60_000, 59_999, 'not active'],
  [59_999, 60_000, 'not active'],
  [-1, 0, 'not active'],
  [0, -1, 'not active'],
])('after %i ms by the clock and %i ms by the uptime, an unlock for one minute is %s', (time, up, state) => {
  const unlock = { from: now, until: now + 60_000, fromUptime: 5_000, reason: 'ticket 7' }
  const found = currentUnlock({ store: 'file', unlock }, { now: now + time, uptime: 5_000 + up })
  expect(found).toEqual(state === 'active' ? unlock : undefined)
})

describe('the description of a session', () => {
  const describeWith = async (flags: SessionFlags, env: Environment = {}) => {
    const io = { stdin: Readable.from([]) }
    return (await describeSession({ flags, env, signal, io, paths, clock })).status
  }
  const sources = (settings: readonly StatusSetting[]) =>
    Object.fromEntries(settings.map(({ name, value, source }) => [name, `${value} (${source})`]))

  beforeEach(() => addProfile('ACME', productionKey))

  it('the description of a session shows the source of each setting and the fingerprint of the key', async () => {
    const status = await describeWith({ profile: 'ACME' })
    const fingerprint = fingerprintOf(new Secret(productionKey))
    expect(status).toMatchObject({ profile: 'ACME', fingerprint, problem: null })
    expect(sources(status.settings)).toEqual({
      profile: 'ACME (--profile)',
      environment: 'production (profile name)',
      base_url: 'https://acme.example (profile ACME)',
      protect: 'confirm (default)',
      config_dir: `${paths.config} (default)`,
      state_dir: `${paths.state} (default)`,
      key: `${fingerprint} (profile ACME, keys-production.json)`,
    })
  })

  it('the description of a session names the environment variables that were used and the reason for an unlock', async () => {
    await addProfile('ACME', productionKey, {
      protect: 'read-only',
      unlock: { from: now, until: now + 60_000, fromUptime, reason: 'ticket 7' },
    })
    const env = {
      FACESCAN_CONFIG_DIR: paths.config,
      FACESCAN_STATE_DIR: paths.state,
      FACESCAN_PROFILE: 'ACME',
      FACESCAN_BASE_URL: 'https://acme.example/proxy',
      FACESCAN_ACTION_TOKEN: 'a.b.c',
    }
    expect(sources((await describeWith({}, env)).settings)).toMatchObject({
      profile: 'ACME (FACESCAN_PROFILE)',
      base_url: 'https://acme.example/proxy (FACESCAN_BASE_URL)',
      protect: 'confirm (unlocked: ticket 7)',
      config_dir: `${paths.config} (FACESCAN_CONFIG_DIR)`,
      state_dir: `${paths.state} (FACESCAN_STATE_DIR)`,
      key: expect.stringMatching(/\(action token: FACESCAN_ACTION_TOKEN\)$/),
    })
  })

  it('the description of a session states the problem if the selected profile cannot be used', async () => {
    await addProfile('ACME', productionKey, { baseUrl: undefined, protect: 'off' })
    const status = await describeWith({ profile: 'ACME' })
    expect(status).toMatchObject({
      base_url: null,
      fingerprint: null,
      problem: 'profile ACME has no base URL',
    })
    expect(sources(status.settings)).toMatchObject({
      base_url: 'null (not set)',
      protect: 'off (profile)',
      key: 'null (profile ACME)',
    })
  })

  it('the description of a session states that no key is set', async () => {
    const status = await describeWith({}, { FACESCAN_BASE_URL: 'https://api.example' })
    expect(status.problem).toBe('no API key for https://api.example')
    expect(sources(status.settings)['key']).toBe('null (not set)')
  })

  it('describing a session does not run the key command', async () => {
    const command = { store: 'command', keyCommand: `touch ${directory}/ran` } as const
    await addProfile('ACME-DEV', developmentKey, command)
    await addProfile('OTHER', otherKey, { ...command, fingerprint: undefined })
    const { settings, problem } = await describeWith({ profile: 'ACME-DEV' })
    expect(sources(settings)).toMatchObject({
      environment: 'development (profile name)',
      protect: 'off (default)',
      key: 'null (profile ACME-DEV, key command, not run)',
    })
    expect(problem).toBeNull()
    expect(existsSync(join(directory, 'ran'))).toBe(false)
  })

  it('the description of a session without a profile derives the environment (production or development) from the base URL', async () => {
    const env = { FACESCAN_API_KEY: otherKey, FACESCAN_BASE_URL: 'https://api.example' }
    expect(sources((await describeWith({}, env)).settings)).toMatchObject({
      profile: 'null (FACESCAN_API_KEY)',
      environment: 'production (base URL)',
      base_url: 'https://api.example (FACESCAN_BASE_URL)',
      key: `${fingerprintOf(new Secret(otherKey))} (FACESCAN_API_KEY)`,
    })
  })

  it('the description of a session names the profile that stores the key, and the reason for the environment "production"', async () => {
    const key = { FACESCAN_API_KEY: productionKey, FACESCAN_BASE_URL: 'https://acme.example' }
    expect(sources((await describeWith({}, key)).settings)).toMatchObject({
      profile: 'ACME (matches the key from FACESCAN_API_KEY)',
      environment: 'production (profile name)',
    })
    await addProfile('ACME-DEV', developmentKey)
    const token = { FACESCAN_ACTION_TOKEN: 'a.b.c' }
    expect(sources((await describeWith({ profile: 'ACME-DEV' }, token)).settings)['environment']).toBe(
      'production (the key or token does not match the key stored for ACME-DEV)',
    )
  })

  it('the description of a refused session shows the selected environment and base URL', async () => {
    await addProfile('ACME-DEV', developmentKey)
    const refused = await describeWith(
      { profile: 'ACME-DEV' },
      { FACESCAN_BASE_URL: 'https://other.example' },
    )
    expect(refused.problem).toContain('profile ACME-DEV is for https://acme-dev.example')
    expect(sources(refused.settings)).toMatchObject({
      environment: 'development (profile name)',
      base_url: 'https://other.example (FACESCAN_BASE_URL)',
    })
    const unknown = await describeWith({}, { FACESCAN_API_KEY: otherKey })
    expect(unknown).toMatchObject({
      profile: null,
      environment: 'production',
      base_url: null,
      problem: 'no base URL is set for the key from FACESCAN_API_KEY',
    })
  })

  it('the description of a sandbox session shows that no key is required', async () => {
    const status = await describeWith({})
    expect(status).toMatchObject({ profile: 'SANDBOX-DEV', base_url: null, fingerprint: null, problem: null })
    expect(sources(status.settings)).toMatchObject({
      profile: 'SANDBOX-DEV (built in)',
      base_url: 'null (built-in sandbox)',
      key: 'null (not required)',
    })
  })
})
