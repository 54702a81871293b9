import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { resolvePaths } from '../../src/base/paths.ts'
import { changeProfiles } from '../../src/profiles/change-profiles.ts'
import type { Protection } from '../../src/profiles/settings.ts'
import { hastyClock, idleClock } from '../helpers/clock.ts'
import { createMachine, type Machine } from '../helpers/facescan.ts'
import { type RawRequest, reply, reset, type Step, serve } from '../helpers/hostile-server.ts'

let machine: Machine

beforeEach(() => {
  machine = createMachine()
})

const isChange = ({ method }: RawRequest) => method !== 'GET'

/** Starts a production service. A request that changes data also changes the protection of the profile, as another process could do. */
async function serveAndProtect(
  answer: (request: RawRequest) => Step | Promise<Step>,
  level: Protection = 'read-only',
) {
  const server = await serve(async (request) => {
    const step = await answer(request)
    if (isChange(request)) await protect(level)
    return step
  })
  const line = `profiles add ACME --key-stdin --store file --no-verify --base-url ${server.url}`
  await machine.facescan(line, { stdin: 'k'.repeat(40) })
  return { changes: () => server.requests.filter(isChange) }
}

async function protect(level: Protection): Promise<void> {
  await changeProfiles(resolvePaths(machine.env), ({ profiles: { ACME } }) => {
    if (ACME) ACME.protect = level
  })
}

/**
 * A fake clock. Each sleep takes one second longer than requested. The loaded protection of the profile expires after one second, so it is
 * loaded again after each sleep.
 */
function slowClock() {
  const clock = hastyClock(Date.now())
  return { ...clock, sleep: (ms: number, signal?: AbortSignal) => clock.sleep(ms + 1_000, signal) }
}

const userOf = ({ target }: RawRequest) => {
  const id = new URL(target, 'http://base').searchParams.get('external_user_id') ?? ''
  return `00000000-0000-4000-8000-00000000000${id.length}`
}

function listOf(...ids: string[]): string {
  const path = join(machine.home, 'users.csv')
  writeFileSync(path, ['external_user_id', ...ids, ''].join('\n'))
  return path
}

describe('a profile that becomes read-only during a command', () => {
  const update = 'api PUT /v2/users/5151d12e-2f9a-4d7a-962f-fd85d23bd68b -f sex=F -p ACME --confirm=ACME'

  test.each([
    ['a response with status 429', reply(429)],
    ['a lost connection', reset()],
  ])('a command does not retry after %s if its profile has become read-only', async (_, first) => {
    const { changes } = await serveAndProtect(() => first)
    const ran = await machine.facescan(update, { clock: slowClock() })
    expect(changes()).toHaveLength(1)
    const isUnclear = first.do === 'reset'
    expect(ran.exitCode).toBe(isUnclear ? 9 : 12)
    expect(ran.stderr).toContain(isUnclear ? 'The change may have been applied' : 'profile ACME is read-only')
  })

  test('a command does not retry if the base URL of its profile has changed', async () => {
    const { changes } = await serveAndProtect(async () => {
      await changeProfiles(resolvePaths(machine.env), ({ profiles: { ACME } }) => {
        if (ACME) ACME.baseUrl = 'https://other.example'
      })
      return reply(429)
    }, 'confirm')
    const ran = await machine.facescan(update, { clock: slowClock() })
    expect(changes()).toHaveLength(1)
    expect(ran.exitCode).toBe(12)
    expect(ran.stderr).toContain('profile ACME was changed while the command was running')
  })

  test('a list of users stops with exit code 11 if its profile becomes read-only, and can be resumed', async () => {
    const { changes } = await serveAndProtect((request) =>
      isChange(request) ? reply(204) : reply(200, { user_id: userOf(request) }),
    )
    const line = `users delete --users ${listOf('a', 'bb', 'ccc')} -p ACME --confirm=3 --rate 1/s --max-concurrency 1`
    const stopped = await machine.facescan(line, { clock: idleClock() })
    expect(stopped).toMatchObject({ exitCode: 11 })
    expect(stopped.stderr).toContain('profile ACME is read-only: cannot delete 3 users')
    expect(stopped.stderr).toContain('Resume with: facescan users delete')
    expect(changes()).toHaveLength(1)
    await protect('confirm')
    const resumed = await machine.facescan(line, { clock: idleClock() })
    expect(resumed.stderr).toContain('1 user already processed')
  })

  test('an import stops with exit code 11 and without unknown rows if its profile becomes read-only', async () => {
    await serveAndProtect((request) => {
      if (!isChange(request)) return reply(200, [])
      const { lookup_key, value } = JSON.parse(request.body)
      return reply(201, { lookup_key, value, user_id: userOf(request) })
    })
    const path = join(machine.home, 'answers.csv')
    const rows = ['a', 'bb', 'ccc'].map((id) => `${id},weight,72,UTC`)
    writeFileSync(path, ['external_user_id,lookup_key,value,timezone', ...rows, ''].join('\n'))
    const line = `answers import ${path} -p ACME --confirm=ACME --rate 1/s --max-concurrency 1`
    const stopped = await machine.facescan(line, { clock: idleClock() })
    expect(stopped, stopped.stderr).toMatchObject({ exitCode: 11 })
    expect(stopped.stderr).toContain('profile ACME is read-only')
    expect(stopped.stderr).toMatch(/[12] of 3 answers accepted, 0 rejected, 0 unknown, [12] unsent/)
  })
})

describe('a list in an unlocked profile', () => {
  const rows = Array.from({ length: 60 }, (_, n) => `a${n},weight,72,UTC`)
  const importing = () => {
    const path = join(machine.home, 'answers.csv')
    writeFileSync(path, ['external_user_id,lookup_key,value,timezone', ...rows, ''].join('\n'))
    return `answers import ${path} -p ACME --confirm=ACME --rate 1/s`
  }

  async function unlockAndImport(duration: string) {
    const server = await serve(({ method, body, target }) => {
      if (method === 'GET') return reply(200, [])
      const { lookup_key, value } = JSON.parse(body)
      return reply(201, { lookup_key, value, user_id: target })
    })
    const line = `profiles add ACME --key-stdin --store file --no-verify --base-url ${server.url}`
    await machine.facescan(line, { stdin: 'k'.repeat(40) })
    await machine.facescan('profiles set ACME --protect read-only')
    const clock = idleClock()
    const unlock = ['profiles', 'unlock', 'ACME', '--for', duration, '--reason', 'ticket 7', '--confirm=ACME']
    await machine.facescan(unlock, { clock })
    return machine.facescan(importing(), { clock })
  }

  test('if an unlock is too short for a list of users, the command warns, and stops with exit code 11 when the unlock ends', async () => {
    const stopped = await unlockAndImport('6s')
    expect(stopped.stderr).toMatch(
      /profile ACME is unlocked for another 6 s, but the list takes about 1 min;/,
    )
    expect(stopped, stopped.stderr).toMatchObject({ exitCode: 11 })
    expect(stopped.stderr).toMatch(/ [1-9] of 60 answers accepted, 0 rejected, 0 unknown, 5\d unsent/)
  })

  test('a command for a list of users prints no warning if it finishes before the unlock of its profile ends', async () => {
    const finished = await unlockAndImport('15m')
    expect(finished, finished.stderr).toMatchObject({ exitCode: 0 })
    expect(finished.stderr).not.toContain('is unlocked for')
  })
})
