import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ServiceFlags } from '../../src/base/errors.ts'
import type { Environment } from '../../src/base/io.ts'
import { changeProfiles } from '../../src/profiles/change-profiles.ts'
import { keyStores } from '../../src/profiles/key-stores.ts'
import { Secret } from '../../src/profiles/secret.ts'
import { resolveSession } from '../../src/profiles/session.ts'
import {
  addProfile,
  clock,
  developmentKey,
  directory,
  keyAndProfile,
  otherKey,
  paths,
  productionKey,
  resolve,
  signal,
  useEmptyHome,
} from './stored-profiles.ts'

useEmptyHome()

describe('the profile and key of a command', () => {
  beforeEach(async () => {
    await addProfile('ACME-DEV', developmentKey)
    await addProfile('ACME', productionKey)
    await changeProfiles(paths, (file) => {
      file.default = 'ACME-DEV'
    })
  })

  it('a command without flags and variables uses the default profile and its key', async () => {
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

  it('--key-file and --key-stdin override every other key and keep the base URL of the profile', async () => {
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

  it('FACESCAN_BASE_URL is refused if its origin differs from the origin of the profile', async () => {
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

  it('the profile SANDBOX-DEV is refused if a key or a base URL is set', async () => {
    const key = { FACESCAN_API_KEY: otherKey, FACESCAN_BASE_URL: 'https://api.example' }
    const path = join(directory, 'key')
    await writeFile(path, otherKey)
    const cases: [ServiceFlags, Environment][] = [
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

  it('a service on another machine counts as production, except with the key of a development profile', async () => {
    const env = { FACESCAN_PROFILE: 'ACME-DEV', FACESCAN_API_KEY: otherKey }
    expect(await resolve({}, env)).toMatchObject({
      profile: 'ACME-DEV',
      environment: 'production',
      protect: 'confirm',
    })
    const token = { FACESCAN_PROFILE: 'ACME-DEV', FACESCAN_ACTION_TOKEN: 'a.b.c' }
    expect(await resolve({}, token)).toMatchObject({ environment: 'production', protect: 'confirm' })
  })

  it('if the key of a read-only profile comes from a file, a variable, or standard input, the session is read-only', async () => {
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

  it('a key is read from FACESCAN_API_KEY_FILE or FACESCAN_API_KEY, and is refused if both variables are set', async () => {
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

  it('the error for a missing key file hides the path, and a terminal is refused as a key file', async () => {
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

  it('--key-stdin refuses input of 65 KiB and accepts 64 KiB', async () => {
    const flags = { profile: 'ACME', keyStdin: true }
    await expect(resolve(flags, {}, Array(65).fill('k'.repeat(1_024)))).rejects.toThrow(
      'the input is too large for a key',
    )
    const long = Array(64).fill('k'.repeat(1_024))
    expect((await keyAndProfile(flags, {}, long))[1]).toHaveLength(65_536)
  })

  it.skipIf(process.platform === 'win32')('--key-file immediately refuses an endless device', async () => {
    await expect(resolve({ profile: 'ACME', keyFile: '/dev/urandom' })).rejects.toThrow(
      '--key-file: the input is too large for a key',
    )
  })

  it('a stored key is refused if it differs from the key that was added to the profile', async () => {
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

  it('if no profile is used, a key counts as a development key if the service runs on this machine', async () => {
    const env = { FACESCAN_API_KEY: otherKey, FACESCAN_BASE_URL: 'http://127.0.0.1:8787' }
    expect(await resolve({}, env)).toMatchObject({ environment: 'development', protect: 'off' })
  })

  it('if a key is set but no profile, the settings of the profile that stores this key are used', async () => {
    await addProfile('ACME-DEV', developmentKey)
    const expected = { profile: 'ACME-DEV', environment: 'development', baseUrl: 'https://acme-dev.example' }
    expect(await resolve({}, { FACESCAN_API_KEY: developmentKey })).toMatchObject(expected)
    const env = { FACESCAN_API_KEY: developmentKey, FACESCAN_BASE_URL: 'https://api.example' }
    await expect(resolve({}, env)).rejects.toMatchObject({ code: 'refused' })
  })

  it('if no profile is selected, a local service is not called with the key of a production profile', async () => {
    await addProfile('ACME', productionKey)
    const env = { FACESCAN_API_KEY: productionKey, FACESCAN_BASE_URL: 'http://127.0.0.1:8787' }
    await expect(resolve({}, env)).rejects.toMatchObject({
      code: 'refused',
      message: 'profile ACME is for https://acme.example, but FACESCAN_BASE_URL is http://127.0.0.1:8787',
    })
  })

  it('with an action token, the default profile is used if FACESCAN_BASE_URL is not set', async () => {
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
