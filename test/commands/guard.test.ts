import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allExamples, byLine, firstOfEach, wordsOf } from '../helpers/examples.ts'
import { findLog } from '../helpers/history.ts'
import { useProduction } from '../helpers/production.ts'

const production = useProduction()
const { createUser } = production

async function exists(userId: string): Promise<boolean> {
  return (await production.machine.facescan(`users get --user-id ${userId} -p ACME`)).exitCode === 0
}

/** A command line for each command that changes data. It contains a user and causes no prompts. */
const changes: [string, (user: { external: string; userId: string }) => string[]][] = [
  ['users update', ({ userId }) => ['users', 'update', '--user-id', userId, '--language', 'nl']],
  ['answers save', ({ external }) => ['answers', 'save', external, 'weight=80', '--timezone', 'UTC']],
  ['api PUT', ({ userId }) => ['api', 'PUT', `/v2/users/${userId}`, '-f', 'language=nl']],
  ['api POST', ({ external }) => ['api', 'POST', '/v2/users', '-f', `external_user_id=raw-${external}`]],
  ['users delete', ({ userId }) => ['users', 'delete', '--user-id', userId]],
  ['api DELETE', ({ userId }) => ['api', 'DELETE', `/v2/users/?user_id=${userId}`]],
]

test('the error for an unconfirmed change contains the user ID from the command line', async () => {
  const created = await createUser()
  const byInternalId = await production.machine.facescan(
    `users update --user-id ${created.userId} --sex F -p ACME`,
  )
  expect(byInternalId.stderr).toContain(
    `updating user ${created.userId} in ACME (production) needs confirmation\n`,
  )
  const line = 'answers save weight=80 --timezone UTC --external-user-id 4711 -p ACME --yes'
  expect((await production.machine.facescan(line)).stderr).toContain(
    'saving one answer for user 4711 in ACME (production) needs confirmation; --yes is ignored in production\n',
  )
})

describe.each(changes)('%s in production', (name, words) => {
  const destroys = /delete/i.test(name)

  test('a change in production is refused without a confirmation, with only --yes, or with a wrong --confirm', async () => {
    const user = await createUser()
    const wrong = destroys ? 'ACME' : user.userId
    for (const extra of [[], ['--yes'], [`--confirm=${wrong}`], ['--yes', '--confirm=']]) {
      const refused = await production.machine.facescan([...words(user), '-p', 'ACME', ...extra])
      expect(refused).toMatchObject({ exitCode: 12, stdout: '' })
      expect(refused.stderr).toContain(`--confirm=${destroys ? user.userId : 'ACME'}`)
    }
    expect(await exists(user.userId)).toBe(true)
  })

  test('a change in production is sent if --confirm has the correct value', async () => {
    const user = await createUser()
    const right = destroys ? user.userId : 'ACME'
    const done = await production.machine.facescan([...words(user), '-p', 'ACME', `--confirm=${right}`])
    expect(done).toMatchObject({ exitCode: 0 })
    expect(await exists(user.userId)).toBe(!destroys)
  })

  test('a change in a read-only profile is refused even with a confirmation', async () => {
    const user = await createUser()
    await production.machine.facescan('profiles set ACME --protect read-only')
    for (const confirm of ['ACME', user.userId]) {
      const refused = await production.machine.facescan([
        ...words(user),
        '-p',
        'ACME',
        `--confirm=${confirm}`,
      ])
      expect(refused.exitCode).toBe(12)
    }
    expect(await exists(user.userId)).toBe(true)
  })

  test('a dry run in production needs no confirmation', async () => {
    const user = await createUser()
    const dry = await production.machine.facescan([...words(user), '-p', 'ACME', '--dry-run', '--json'])
    expect(dry.exitCode).toBe(0)
    expect(await exists(user.userId)).toBe(true)
  })

  test('the audit log has an entry before and after a change in production, and no entry contains the external user ID', async () => {
    const user = await createUser()
    const right = destroys ? user.userId : 'ACME'
    await production.machine.facescan([...words(user), '-p', 'ACME', `--confirm=${right}`])
    const log = await readFile(findLog(join(production.machine.home, 'state')), 'utf8')
    const lines = log.trimEnd().split('\n').slice(-2)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        profile: 'ACME',
        host: new URL(production.service.url).host,
        os_user: userInfo().username,
      },
      { outcome: 'done', status: expect.any(Number) },
    ])
    expect(log).not.toContain(user.external)
  })
})

test('a deletion by external user ID needs --confirm with the same external user ID', async () => {
  const { external, userId } = await createUser()
  const words = `users delete --external-user-id ${external} -p ACME`
  const refused = await production.machine.facescan(`${words} --confirm=ACME`)
  expect(refused).toMatchObject({ exitCode: 12 })
  expect(refused.stderr).toContain(`--confirm=${external}`)
  expect(refused.stderr).not.toContain(userId)
  expect((await production.machine.facescan(`${words} --confirm=${external}`)).exitCode).toBe(0)
  expect(await exists(userId)).toBe(false)
})

test.each([
  ['twice', (a: string, b: string) => `/v2/users/?user_id=${a}&user_id=${b}`],
  ['twice, once encoded', (a: string, b: string) => `/v2/users/?user_id=${a}&user%5Fid=${b}`],
  ['twice, once in uppercase', (a: string, b: string) => `/v2/users/?user_id=${a}&USER_ID=${b}`],
  ['twice, once with a space', (a: string, b: string) => `/v2/users/?user_id=${a}&+user_id=${b}`],
  ['twice, once in brackets', (a: string, b: string) => `/v2/users/?user_id=${a}&user_id[]=${b}`],
  ['and external_user_id', (a: string, b: string) => `/v2/users/?user_id=${a}&external_user_id=${b}`],
])('"api DELETE /v2/users/" refuses a query that contains user_id %s', async (_, toPath) => {
  const users = [await createUser(), await createUser()]
  const [a, b] = users.map(({ userId }) => userId) as [string, string]
  for (const confirm of [a, b]) {
    const refused = await production.machine.facescan([
      'api',
      'DELETE',
      toPath(a, b),
      '-p',
      'ACME',
      `--confirm=${confirm}`,
    ])
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toMatch(/the query contains .*; nothing was sent/)
  }
  expect([await exists(a), await exists(b)]).toEqual([true, true])
})

test.each([
  ['without a parameter', () => '/v2/users/'],
  ['with an empty user_id', () => '/v2/users/?user_id='],
  ['with the user ID in the path', (id: string) => `/v2/users/${id}`],
])('"api DELETE" refuses a request to /v2/users/ %s', async (_, toPath) => {
  const { userId } = await createUser()
  const words = ['api', 'DELETE', toPath(userId), '-p', 'ACME']
  for (const confirm of ['ACME', userId, '']) {
    const refused = await production.machine.facescan([...words, `--confirm=${confirm}`])
    expect(refused, confirm).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toMatch(/the query contains .*; nothing was sent/)
  }
  expect(await exists(userId)).toBe(true)
})

test('reading data in production needs no confirmation and is not logged', async () => {
  const user = await createUser()
  expect(await exists(user.userId)).toBe(true)
  expect((await production.machine.facescan(`token --user-id ${user.userId} -p ACME`)).exitCode).toBe(0)
  const entries = JSON.parse((await production.machine.facescan('history list --json')).stdout)
  expect(entries.map(({ command }: { command: string }) => command)).toEqual(['users create', 'profiles add'])
})

test('a command on a terminal prints that it uses a production profile', async () => {
  const read = await production.machine.facescan('answers keys -p ACME --json', { terminal: true })
  expect(read.stderr).toContain('production: ACME')
  expect(read.stdout).not.toContain('production')
})

test('if a key has no profile and the service is on another machine, a change needs the same confirmation as in production', async () => {
  const env = {
    FACESCAN_API_KEY: production.service.keys.development.key,
    FACESCAN_BASE_URL: 'https://production.service.invalid',
  }
  const refused = await production.machine.facescan('users create --external-user-id 1 --yes', { env })
  expect(refused.exitCode).toBe(12)
  expect(refused.stderr).toContain('--confirm=production')
})

test('a change is not sent if the audit log cannot be written', async () => {
  const user = await createUser()
  const env = { FACESCAN_STATE_DIR: '/dev/null/state' }
  const refused = await production.machine.facescan(
    `users update --user-id ${user.userId} --language sv -p ACME --confirm=ACME`,
    { env },
  )
  expect(refused.exitCode).toBe(13)
  const after = await production.machine.facescan(
    `users get --user-id ${user.userId} -p ACME --json=language`,
  )
  expect(JSON.parse(after.stdout)).not.toEqual({ language: 'sv' })
})

test.each([
  ['in a read-only profile', 'profile ACME is read-only: cannot update user'],
  ['with a wrong --confirm', '--confirm has the wrong value: updating user'],
])('"users update" %s is refused on a terminal before it shows the values of the user', async (_, reason) => {
  const { external } = await createUser()
  if (reason.startsWith('profile')) await production.machine.facescan('profiles set ACME --protect read-only')
  const line = `users update ${external} --language nl -p ACME --confirm=acme`
  const { exitCode, stderr } = await production.machine.facescan(line, { terminal: true, columns: 200 })
  expect(exitCode).toBe(12)
  expect(stderr).not.toContain('Language')
  expect(stderr).toContain(`${reason} ${external}`)
})

test('a dry run in a read-only profile prompts for the missing user on a terminal', async () => {
  const { external } = await createUser()
  await production.machine.facescan('profiles set ACME --protect read-only')
  const { exitCode, stderr } = await production.machine.facescan('users delete -p ACME --dry-run', {
    terminal: true,
    env: { ACCESSIBLE: '1' },
    stdin: `${external}\n`,
  })
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining(`would delete user ${external}`)])
})

/** A command line for each command that changes only this machine. */
const localChanges = firstOfEach(await allExamples()).filter(
  ({ name, command: { effect, localEffect } }) =>
    effect === 'read' && localEffect !== 'read' && name !== 'demo',
)

test.each(byLine(localChanges))('"%s", which changes only this machine, refuses --dry-run', async (line) => {
  const before = await production.machine.facescan('profiles show ACME --json')
  const { exitCode, stderr } = await production.machine.facescan([...wordsOf(line, {}), '--dry-run'])
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^error: [a-z-]+( [a-z-]+)? does not support --dry-run\n/),
  })
  expect((await production.machine.facescan('profiles show ACME --json')).stdout).toBe(before.stdout)
})

test.each(['demo', 'doctor --bundle'])('"%s" refuses --dry-run and writes nothing', async (line) => {
  const { machine } = production
  const file = join(machine.home, 'report.json')
  const { exitCode, stdout, stderr } = await machine.facescan(
    `${line}${line === 'demo' ? '' : ` ${file}`} --dry-run`,
  )
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toMatch(/does not support --dry-run/)
  expect(existsSync(file)).toBe(false)
})

test.each([
  'profiles remove ACME',
  'profiles set ACME --protect off',
  'profiles set ACME --base-url https://other.example',
])('"%s" prints the profile and its host before its prompt', async (line) => {
  const { machine, service } = production
  const asked = await machine.facescan(line, { terminal: true, columns: 200, stdin: 'no\n' })
  expect(asked.exitCode, asked.stderr).toBe(12)
  expect(asked.stderr).toContain(`PRODUCTION: ACME at ${new URL(service.url).host}`)
})
