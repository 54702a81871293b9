import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { changeProfiles } from '../../src/profiles/change-profiles.ts'
import { guardChange } from '../../src/profiles/guard.ts'
import { currentUnlock, type Profile } from '../../src/profiles/profile.ts'
import { fingerprintOf, Secret } from '../../src/profiles/secret.ts'
import { resolveSession } from '../../src/profiles/session.ts'
import {
  addProfile,
  developmentKey,
  directory,
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
  ])('a command sends no further change if its profile now has %s', async (_, change) => {
    await addCommand()
    const { current } = await resolve({ profile: 'ACME-DEV' })
    await edit(change)
    await expect(current()).rejects.toMatchObject({
      code: 'refused',
      message: 'profile ACME-DEV was changed while the command was running',
    })
  })

  it('a command sends no further change after its profile is removed, and reports that the profile no longer exists', async () => {
    await addProfile('ACME', productionKey)
    const { current } = await resolve({ profile: 'ACME' })
    await edit((_, profiles) => delete profiles['ACME'])
    await expect(current()).rejects.toMatchObject({
      code: 'configuration',
      message: 'profile ACME no longer exists',
    })
  })

  it('a command without a profile sends no further change after the profile with its key is removed', async () => {
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

  /** Guards a change of a profile. Returns the check before each of its requests. */
  const guardLater = async (profile: string) => {
    const { current } = await resolveLater(profile)
    const ask = { possible: true, confirm: async () => true, text: async () => '' }
    const person = { clock: { now: () => time }, flags: { yes: false }, ask }
    return guardChange({ effect: 'change', summary: 'update a user' }, current, person)
  }

  it('a command uses a new protection after at most a second, even if the clock is set back', async () => {
    await addCommand()
    const recheck = await guardLater('ACME-DEV')
    await edit((profile) => Object.assign(profile, { protect: 'read-only' }))
    time += 999
    await recheck()
    time += 1
    await expect(recheck()).rejects.toThrow('profile ACME-DEV is read-only')
    await edit((profile) => Object.assign(profile, { protect: 'off' }))
    await expect(recheck()).rejects.toThrow('profile ACME-DEV is read-only')
    time -= 3_600_000
    await recheck()
  })

  it('two requests that start together after a second read the profile file once', async () => {
    await addCommand()
    const { current } = await resolveLater('ACME-DEV')
    let reads = 0
    const ask = { possible: false, confirm: async () => true, text: async () => '' }
    const counted = () => {
      reads++
      return current()
    }
    const person = { clock: { now: () => time }, flags: { yes: false }, ask }
    const recheck = await guardChange({ effect: 'change', summary: 'update a user' }, counted, person)
    expect(reads).toBe(1)
    time += 1_000
    await Promise.all([recheck(), recheck()])
    expect(reads).toBe(2)
  })

  it('a change is refused if its profile becomes read-only while a prompt is open', async () => {
    await addProfile('ACME', productionKey)
    const { current } = await resolveLater('ACME')
    const confirm = async () => {
      await edit((profile) => Object.assign(profile, { protect: 'read-only' }))
      return true
    }
    const ask = { possible: true, confirm, text: async () => '' }
    const changed = guardChange({ effect: 'change', summary: 'update a user' }, current, {
      clock: { now: () => time },
      flags: { yes: false },
      ask,
    })
    await expect(changed).rejects.toThrow('profile ACME is read-only')
  })

  it('when the unlock of a profile ends, a command uses the protection that is now in the profile', async () => {
    const unlock = { from: now, until: now + 60_000, fromUptime, reason: 'ticket 7' }
    await addProfile('ACME', productionKey, { protect: 'read-only', unlock })
    const recheck = await guardLater('ACME')
    time = now + 59_500
    await recheck()
    time = now + 59_999
    await edit((profile) => Object.assign(profile, { unlock: undefined }))
    await recheck()
    time = now + 60_000
    await expect(recheck()).rejects.toThrow('profile ACME is read-only')
  })

  it('a command in the sandbox reads the profiles only once', async () => {
    await addProfile('ACME', productionKey)
    const { current } = await resolve({ profile: 'SANDBOX-DEV' })
    await writeFile(join(directory, 'config', 'profiles.json'), 'damaged')
    expect(await current()).toMatchObject({ profile: 'SANDBOX-DEV', protect: 'off' })
  })
})

describe('a profile that was unlocked', () => {
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

  it('a profile is not unlocked before the recorded start, without a recorded start, or after a restart of the machine', async () => {
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
])(
  'if %i ms of clock time and %i ms of uptime have passed since its start, an unlock for one minute is %s',
  (time, up, state) => {
    const unlock = { from: now, until: now + 60_000, fromUptime: 5_000, reason: 'ticket 7' }
    const found = currentUnlock({ store: 'file', unlock }, { now: now + time, uptime: 5_000 + up })
    expect(found).toEqual(state === 'active' ? unlock : undefined)
  },
)
