import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ServiceFlags } from '../../src/base/errors.ts'
import type { Environment } from '../../src/base/io.ts'
import { describeSession, type StatusSetting } from '../../src/profiles/describe-session.ts'
import { fingerprintOf, Secret } from '../../src/profiles/secret.ts'
import {
  addProfile,
  clock,
  developmentKey,
  directory,
  fromUptime,
  now,
  otherKey,
  paths,
  productionKey,
  signal,
  useEmptyHome,
} from './stored-profiles.ts'

useEmptyHome()

describe('the description of a session', () => {
  const describeWith = async (flags: ServiceFlags, env: Environment = {}) => {
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

  it('the description of a session names the used environment variables and the reason for an unlock', async () => {
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
      protect: 'confirm (reason: ticket 7)',
      config_dir: `${paths.config} (FACESCAN_CONFIG_DIR)`,
      state_dir: `${paths.state} (FACESCAN_STATE_DIR)`,
      key: expect.stringMatching(/\(action token: FACESCAN_ACTION_TOKEN\)$/),
    })
  })

  it('the description of a session states why the selected profile cannot be used', async () => {
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

  it('if a session has no profile, its description shows that the base URL determines the environment', async () => {
    const env = { FACESCAN_API_KEY: otherKey, FACESCAN_BASE_URL: 'https://api.example' }
    expect(sources((await describeWith({}, env)).settings)).toMatchObject({
      profile: 'null (FACESCAN_API_KEY)',
      environment: 'production (base URL)',
      base_url: 'https://api.example (FACESCAN_BASE_URL)',
      key: `${fingerprintOf(new Secret(otherKey))} (FACESCAN_API_KEY)`,
    })
  })

  it('the description of a session states which profile stores the key and why the environment is production', async () => {
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
