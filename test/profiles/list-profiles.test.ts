import { mkdtemp } from 'node:fs/promises'
import { tmpdir, uptime } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Paths, resolvePaths } from '../../src/base/paths.ts'
import { changeProfiles } from '../../src/profiles/change-profiles.ts'
import { listProfiles, showProfile } from '../../src/profiles/list-profiles.ts'
import { defaultNames } from '../../src/profiles/settings.ts'

const now = Date.UTC(2026, 0, 1)

let config: string
let paths: Paths

beforeEach(async () => {
  config = join(await mkdtemp(join(tmpdir(), 'facescan-list-')), 'config')
  paths = resolvePaths({ FACESCAN_CONFIG_DIR: config })
  await changeProfiles(paths, (file) => {
    file.profiles['ZETA'] = { store: 'command', keyCommand: 'true', baseUrl: 'https://zeta.example' }
    file.profiles['ACME-DEV'] = { store: 'file', fingerprint: '0123456789ab' }
    file.profiles['ACME'] = { store: 'keyring', protect: 'read-only' }
  })
})

const noSettings = Object.fromEntries(defaultNames.map((name) => [name, null]))

const sandbox = {
  name: 'SANDBOX-DEV',
  environment: 'sandbox',
  default: true,
  base_url: null,
  store: null,
  stored_in: null,
  fingerprint: null,
  protect: 'off',
  reference: true,
  audit_command: null,
  unlocked_until: null,
  ...noSettings,
}

describe('the list of profiles', () => {
  it('the list of profiles shows store and protection, sorted by name with the sandbox last', async () => {
    expect(await listProfiles(paths, now)).toEqual([
      {
        name: 'ACME',
        environment: 'production',
        default: false,
        base_url: null,
        fingerprint: null,
        store: 'keyring',
        stored_in: 'system keyring',
        protect: 'read-only',
        reference: false,
        audit_command: null,
        unlocked_until: null,
        ...noSettings,
      },
      {
        name: 'ACME-DEV',
        environment: 'development',
        default: false,
        base_url: null,
        store: 'file',
        stored_in: join(config, 'keys-development.json'),
        fingerprint: '0123456789ab',
        protect: 'off',
        reference: false,
        audit_command: null,
        unlocked_until: null,
        ...noSettings,
      },
      {
        name: 'ZETA',
        environment: 'production',
        default: false,
        base_url: 'https://zeta.example',
        store: 'command',
        stored_in: 'key command',
        fingerprint: null,
        protect: 'confirm',
        reference: false,
        audit_command: null,
        unlocked_until: null,
        ...noSettings,
      },
      sandbox,
    ])
  })

  it('without a home directory, the list of profiles contains only the sandbox', async () => {
    expect(
      await listProfiles(
        resolvePaths({}, 'linux', () => undefined),
        now,
      ),
    ).toEqual([sandbox])
  })

  it('the list of profiles marks only the default profile as the default', async () => {
    await changeProfiles(paths, (file) => {
      file.default = 'ACME'
    })
    const defaults = (await listProfiles(paths, now)).filter((one) => one.default).map(({ name }) => name)
    expect(defaults).toEqual(['ACME'])
  })
})

describe('one profile in detail', () => {
  it('a profile is shown as unlocked until its unlock expires', async () => {
    const until = now + 60_000
    await changeProfiles(paths, (file) => {
      const unlock = { from: now, until, fromUptime: uptime() * 1_000, reason: 'x' }
      file.profiles['ACME'] = { store: 'keyring', protect: 'read-only', unlock }
    })
    expect(await showProfile(paths, 'ACME', until - 1)).toMatchObject({
      protect: 'read-only',
      reference: false,
      audit_command: null,
      unlocked_until: '2026-01-01T00:01:00.000Z',
    })
    expect(await showProfile(paths, 'ACME', until)).toMatchObject({ unlocked_until: null })
  })

  it('showing an unknown profile fails, and showing the sandbox works', async () => {
    expect(await showProfile(paths, 'SANDBOX-DEV', now)).toEqual(sandbox)
    for (const name of ['NOBODY', 'constructor']) {
      await expect(showProfile(paths, name, now)).rejects.toThrow(`profile "${name}" not found`)
    }
  })

  it('the error for an unknown profile suggests the most similar name', async () => {
    await changeProfiles(paths, (file) => {
      file.profiles['ACME'] = { store: 'file', protect: 'off' }
    })
    await expect(showProfile(paths, 'ACM', now)).rejects.toThrow(
      'profile "ACM" not found; did you mean "ACME"?',
    )
  })
})

it.each([
  ['a password', 'https://me:sentinel-password@api.example', 'https://***@api.example'],
  [
    'an API key',
    'https://api.example/Zq7fK2mPx9Lw4TbV8sRc1NyHd6GjUa3EoB5iXvWt',
    'https://api.example/(hidden: possible key or token)',
  ],
])(
  'if an edited profile contains a base URL with %s, the list of profiles hides it',
  async (_, baseUrl, shown) => {
    await changeProfiles(paths, (file) => {
      file.profiles['EDITED'] = { store: 'file', baseUrl }
    })
    expect((await showProfile(paths, 'EDITED', now)).base_url).toBe(shown)
  },
)
