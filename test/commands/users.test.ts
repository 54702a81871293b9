import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { openStore } from '../../src/sandbox/index.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { exampleUserId } from '../helpers/examples.ts'
import { createMachine, type Machine } from '../helpers/facescan.ts'
import { reply, serve } from '../helpers/hostile-server.ts'
import { asText } from '../helpers/messages.ts'

let machine: Machine

beforeEach(() => {
  machine = createMachine()
})

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

test('"users get" finds a created user by user ID and by external user ID', async () => {
  const created = await machine.facescan(
    'users create --external-user-id 4711 --sex F --birth-date 1984-02-29 --json',
  )
  expect(created.exitCode).toBe(0)
  const user = JSON.parse(created.stdout)
  expect(user).toMatchObject({ user_id: expect.stringMatching(uuid), sex: 'F', birth_date: '1984-02-29' })

  const byExternal = await machine.facescan('users get --external-user-id 4711 --json=user_id,sex')
  expect(JSON.parse(byExternal.stdout)).toEqual({ user_id: user.user_id, sex: 'F' })
  const byInternal = await machine.facescan(`users get --user-id ${user.user_id} --json=user_id`)
  expect(JSON.parse(byInternal.stdout)).toEqual({ user_id: user.user_id })
})

test('the JSON for a user has exactly the fields in the specification', async () => {
  await machine.facescan('users create --external-user-id 4711')
  const read = await machine.facescan('users get --external-user-id 4711 --json')
  expect(Object.keys(JSON.parse(read.stdout)).sort()).toEqual([
    'birth_date',
    'customer',
    'external_user_id',
    'language',
    'preferred_unit_system',
    'sex',
    'user_id',
  ])
})

// spec 4.1:9
test('"users create" fails for an existing user, and succeeds with --if-not-exists', async () => {
  const first = await machine.facescan('users create --external-user-id 4711 --json=user_id')
  const second = await machine.facescan('users create --external-user-id 4711')
  expect(second.exitCode).toBe(6)
  expect(second.stdout).toBe('')
  expect(second.stderr).toContain('already exists')
  expect(second.stderr).toContain('--if-not-exists')
  const third = await machine.facescan('users create --external-user-id 4711 --if-not-exists --json=user_id')
  expect(third).toMatchObject({ exitCode: 0, stdout: first.stdout })
})

// spec 4.1:10
test('"users update" by external user ID changes the given field and keeps the user’s other fields', async () => {
  await machine.facescan('users create --external-user-id 4711 --sex F --language nl')
  const updated = await machine.facescan(
    'users update --external-user-id 4711 --language sv --json=sex,language',
  )
  expect(JSON.parse(updated.stdout)).toEqual({ sex: 'F', language: 'sv' })
  const cleared = await machine.facescan(
    'users update --external-user-id 4711 --clear sex --json=sex,language',
  )
  expect(JSON.parse(cleared.stdout)).toEqual({ sex: null, language: 'sv' })
})

test('a dry run of "users update" prints the difference and the request, and changes nothing', async () => {
  await machine.facescan('users create --external-user-id 4711 --language nl')
  const dry = await machine.facescan('users update --external-user-id 4711 --language sv --dry-run --json')
  expect(dry.exitCode).toBe(0)
  expect(dry.stderr).toMatch(/would update user 4711 in SANDBOX-DEV[\s\S]*nl → sv/)
  expect(JSON.parse(dry.stdout)).toMatchObject({
    method: 'PUT',
    headers: { 'x-api-key': '***' },
    body: { language: 'sv' },
  })
  const after = await machine.facescan('users get --external-user-id 4711 --json=language')
  expect(JSON.parse(after.stdout)).toEqual({ language: 'nl' })
})

test('"users create" accepts names of values such as female and English in upper and lower case', async () => {
  await machine.facescan('users create 4711 --sex female --language English --unit-system IMPERIAL')
  const { stdout } = await machine.facescan('users get 4711 --json=sex,language,preferred_unit_system')
  expect(JSON.parse(stdout)).toEqual({ sex: 'F', language: 'en', preferred_unit_system: 'imperial' })
})

test('if a command line has several mistakes, one error reports all mistakes', async () => {
  const result = await machine.facescan('users create --sex X --birth-date 2026-02-30 --language de')
  expect(result.exitCode).toBe(2)
  expect(result.stdout).toBe('')
  expect(result.stderr).toContain('external user ID is missing')
  expect(result.stderr).toContain('--sex: "X" is not one of M, F')
  expect(result.stderr).toContain('--birth-date: "2026-02-30" is not a valid date')
  expect(result.stderr).toContain(
    '--language: "de" is not a language of a user (en, nl, fr, da, sv); for a link in German',
  )
})

test.each([
  ['users get', 'user ID is missing'],
  [
    'users get --external-user-id 4711 --user-id 5151d12e-2f9a-4d7a-962f-fd85d23bd68b',
    'more than one user ID',
  ],
  ['users get --user-id 5151d12e', 'is not a valid UUID'],
  [
    'users delete --external-user-id 4711 --external-user-id 4712 --yes',
    '--external-user-id can be used only once',
  ],
  ['users get --external-user-id 4711 -p A-DEV --profile B-DEV', '--profile can be used only once'],
  ['users update --external-user-id 4711', 'nothing to change'],
  ['users update 4711 language nl', 'Did you mean --language nl?'],
  [
    'users update 4711 --language German',
    '"German" is not a language of a user (en, nl, fr, da, sv); for a link in German, use scan-url or dashboard-url with --language de\n',
  ],
  ['users update 4711 --language no', '"no" is not one of en, nl, fr, da, sv\n'],
  ['invite 4711', '"4711" is not a file; for one user, use: facescan scan-url 4711'],
])('"%s" is a usage error, and its message states the reason', async (line, message) => {
  const result = await machine.facescan(line)
  expect(result).toMatchObject({ exitCode: 2, stdout: '' })
  expect(result.stderr).toContain(message)
})

test('if the date of birth is invalid, "users update" reports only this error', async () => {
  const result = await machine.facescan('users update 4711 --birth-date 2999-01-01')
  expect(result.stderr).toBe(
    'error: --birth-date: "2999-01-01" is in the future\nhint: See: facescan users update --help\n',
  )
})

test('the error of "users delete" for an unknown user does not suggest creating the user', async () => {
  const result = await machine.facescan('users delete unknown-1 --yes')
  expect(result.stderr).toContain(
    'user "unknown-1" not found in SANDBOX-DEV (404)\nhint: Check the ID, including upper and lower case\n',
  )
})

test('"users get --json" for an unknown user prints the error as one line of JSON', async () => {
  const result = await machine.facescan('users get --external-user-id nobody --json')
  expect(result).toMatchObject({ exitCode: 4, stdout: '' })
  expect(JSON.parse(result.stderr).error).toMatchObject({ code: 'not_found', status: 404, exit_code: 4 })
})

test.each([
  ['an unknown field in --json', '--json=user_ld', 'did you mean "user_id"?'],
  ['an incomplete jq filter', '--jq .[', 'syntax error, unexpected end of filter'],
  ['an unknown jq function', '--jq nosuch', 'nosuch/0 is not defined'],
])('a command with %s is refused before anything is changed', async (_, flag, message) => {
  const refused = await machine.facescan(`users create --external-user-id 4711 ${flag}`)
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
  expect(JSON.parse(refused.stderr).error.message).toContain(message)
  expect(await machine.facescan('users get --external-user-id 4711')).toMatchObject({ exitCode: 4 })
})

test('"users create" prints its complete result if its jq filter fails', async () => {
  const created = await machine.facescan([
    'users',
    'create',
    '--external-user-id',
    '4711',
    '--jq',
    '.customer + 1',
  ])
  const { stdout } = await machine.facescan('users get --external-user-id 4711 --json')
  expect(created).toMatchObject({ exitCode: 0 })
  expect(JSON.parse(created.stdout).user_id).toBe(JSON.parse(stdout).user_id)
  expect(asText(created.stderr)).toMatch(/^warning: --jq: .*the change was made/)
})

test.each([
  ['a command that only reads', 'users get --external-user-id 4711'],
  ['a dry run', 'users update --external-user-id 4711 --sex F --dry-run'],
  ['a command that finds an existing user', 'users create --external-user-id 4711 --if-not-exists'],
])('%s prints nothing and exits with code 2 if its jq filter fails', async (_, line) => {
  await machine.facescan('users create --external-user-id 4711')
  const result = await machine.facescan([...line.split(' '), '--jq', '.[] | error("no")'])
  expect(result).toMatchObject({ exitCode: 2, stdout: '' })
})

test.each([
  ['halt', 'the filter stopped before it returned a result'],
  ['], [', 'syntax error'],
  ['', 'the filter is empty'],
])('the jq filter "%s" is refused, and no part of the result is printed', async (filter, problem) => {
  await machine.facescan('users create --external-user-id 4711')
  const words = ['users', 'get', '--external-user-id', '4711', '--jq', filter]
  const { exitCode, stdout, stderr } = await machine.facescan(words)
  expect({ exitCode, stdout, message: JSON.parse(stderr).error.message }).toEqual({
    exitCode: 2,
    stdout: '',
    message: expect.stringContaining(problem),
  })
})

test('"sandbox reset" prints its complete result if its jq filter fails', async () => {
  const reset = await machine.facescan(['sandbox', 'reset', '--yes', '--jq', '.reset + 1'])
  expect(reset).toMatchObject({ exitCode: 0 })
  expect(JSON.parse(reset.stdout)).toMatchObject({ reset: true })
})

test('before an update, a terminal shows the differences in color', async () => {
  await machine.facescan('users create --external-user-id 4711 --language nl')
  const updated = await machine.facescan('users update --external-user-id 4711 --language sv', {
    terminal: true,
  })
  expect(updated.exitCode).toBe(0)
  expect(updated.stderr).toContain('Language  \x1b[2mnl\x1b[22m → \x1b[32msv\x1b[39m')
})

test('the prompt before a deletion escapes control characters in the data of the user', async () => {
  const customer = 'Acme\x1b]0;mine\x07\u009b2J\u202e\nContinue? (y/N)'
  const service = await serve(() => reply(200, { user_id: '5151d12e-2f9a-4d7a-962f-fd85d23bd68b', customer }))
  const env = { FACESCAN_API_KEY: 'k'.repeat(40), FACESCAN_BASE_URL: service.url }
  const line = 'users delete --external-user-id 4711'
  const asked = await machine.facescan(line, { terminal: true, columns: 500, stdin: 'n\r', env })
  expect(asked.exitCode).toBe(12)
  expect(asked.stderr).toContain(
    'user 4711 (Acme\\x1b]0;mine\\x07\\x9b2J\\u202e\\nContinue? (y/N)) and all of their data in',
  )
  expect(asked.stderr).not.toMatch(/\x1b\]0|[\u009b\u202e]/)
  expect(service.requests.map(({ method }) => method)).toEqual(['GET'])
})

test('if stderr is not a terminal, the error for an unconfirmed deletion contains no user data', async () => {
  await machine.facescan('users create --external-user-id 4711 --sex F --birth-date 1984-02-29')
  for (const format of ['', ' --json']) {
    const { exitCode, stderr } = await machine.facescan(`users delete 4711${format}`)
    expect(exitCode).toBe(12)
    expect(stderr).toContain(
      'deleting user 4711 and all of their data in SANDBOX-DEV (sandbox) needs confirmation',
    )
  }
})

test('a table in a pipe has an empty cell for a missing value', async () => {
  await machine.facescan('users create --external-user-id 4711')
  const { stdout } = await machine.facescan('users get --external-user-id 4711 --no-header')
  expect(stdout).toMatch(/^[\w-]{36}\tAcme Wellness\t\t\ten\t\t\t\t\n$/)
})

test('if the state directory cannot be created, the error names the directory and its environment variable', async () => {
  const file = `${machine.home}/file`
  writeFileSync(file, '')
  const { exitCode, stderr } = await machine.facescan('users get --external-user-id 4711', {
    env: { FACESCAN_STATE_DIR: `${file}/state` },
  })
  expect({ exitCode, stderr }).toEqual({
    exitCode: 13,
    stderr:
      `error: the sandbox database ${file}/state/sandbox.db cannot be used (file already exists)\n` +
      'hint: Check the free disk space, and the permissions of the file and its directory. To use another directory, set FACESCAN_STATE_DIR. To delete the sandbox data and start over: facescan sandbox reset\n',
  })
})

test('the error for a sandbox file that cannot be removed names the file', async () => {
  mkdirSync(`${machine.env['FACESCAN_STATE_DIR']}/sandbox.db`, { recursive: true })
  const { exitCode, stderr } = await machine.facescan('sandbox reset --yes')
  expect({ exitCode, stderr }).toEqual({
    exitCode: 13,
    stderr: expect.stringContaining('sandbox.db cannot be used'),
  })
})

test.each(['users create 4712', 'sandbox scan 4711'])(
  'the error of "%s" on a full disk names the sandbox database',
  async (line) => {
    await machine.facescan('users create 4711')
    const database = `${machine.env['FACESCAN_STATE_DIR']}/sandbox.db`
    const store = await openStore(database)
    store.exec(
      `create trigger full before insert on user begin select raise(fail, 'database or disk is full'); end`,
    )
    store.exec(
      `create trigger full_scan before insert on scan begin select raise(fail, 'database or disk is full'); end`,
    )
    store.close()
    const { exitCode, stderr } = await machine.facescan(line)
    expect(exitCode).toBe(13)
    expect(stderr).toContain(
      `error: the sandbox database ${database} cannot be used (database or disk is full)\n`,
    )
  },
)

test('"sandbox reset" removes a damaged database and no other file', async () => {
  const database = `${machine.env['FACESCAN_STATE_DIR']}/sandbox.db`
  await machine.facescan('users create --external-user-id 4711')
  rmSync(`${database}-wal`, { force: true })
  writeFileSync(database, 'this is no database')
  const other = await machine.facescan(`sandbox reset --yes --db ${database}`)
  expect(other).toMatchObject({ exitCode: 13, stderr: expect.stringContaining('file is not a database') })
  expect((await machine.facescan('sandbox reset --yes')).exitCode).toBe(0)
  expect((await machine.facescan('users create --external-user-id 4711')).exitCode).toBe(0)
})

// spec 4.1:2
test('"users create" without an external user ID succeeds on a service with the earlier API revision', async () => {
  const database = join(machine.home, 'earlier.sqlite')
  const sandbox = await startSandbox({ strict: true, database, revision: 'earlier' })
  const env = { FACESCAN_BASE_URL: sandbox.url, FACESCAN_API_KEY: sandbox.keys.development.key }
  const created = await machine.facescan('users create --no-external-user-id --sex F --json', { env })
  expect([created.exitCode, JSON.parse(created.stdout)]).toMatchObject([0, { sex: 'F' }])
  const both = await machine.facescan('users create 4711 --no-external-user-id', { env })
  expect([both.exitCode, both.stderr]).toEqual([2, expect.stringContaining('cannot be used with')])
  await sandbox.close()
})

test('"users create" without an external user ID fails on a service with the current API revision', async () => {
  const { exitCode, stderr } = await machine.facescan('users create --no-external-user-id')
  expect([exitCode, stderr]).toEqual([6, expect.stringContaining('external_user_id: field required')])
})

test('the error for an unknown user names the ID and the profile, and suggests a command', async () => {
  const { stderr } = await machine.facescan('metrics 4711')
  const link = await machine.facescan('scan-url 4711')
  expect(stderr).toContain('error: user "4711" not found in SANDBOX-DEV (404)\n')
  expect(stderr).toContain('hint: Check the ID\n')
  expect(link.stderr).toContain('hint: Check the ID, or create the user: facescan users create 4711\n')
  const pasted = await machine.facescan(['users', 'get', '4711 '])
  expect(pasted.stderr).toContain('hint: Check the ID: it starts or ends with a space\n')
})

test.each([
  ['one character missing', '5151d12e-2f9a-4d7a-962f-fd85d23bd68'],
  ['one character added', '5151d12e-2f9a-44d7a-962f-fd85d23bd68b'],
  ['a letter O instead of a zero', '5151d12e-2f9a-4d7a-962f-fd85d23bd6Ob'],
  ['no dashes and one character missing', '5151d12e2f9a4d7a962ffd85d23bd68'],
])('the error for a user ID with %s suggests checking the ID, and not creating a user', async (_, id) => {
  for (const line of [`scan-url ${id}`, `users get ${id}`]) {
    const { exitCode, stderr } = await machine.facescan(line)
    expect(exitCode).toBe(4)
    expect(stderr).toContain('hint: Check the ID: it is similar to a user ID, but is not a valid UUID\n')
  }
  expect((await machine.facescan(`sandbox scan ${id}`)).stderr).not.toContain('users create')
})

test.each(['#N/A', '-', 'TRUE', 'a\nb', 'a\u202eb'])(
  'the error for an unknown user does not suggest creating a user with the invalid ID %j',
  async (id) => {
    const link = await machine.facescan(['scan-url', `--external-user-id=${id}`])
    const scan = await machine.facescan(['sandbox', 'scan', `--external-user-id=${id}`])
    for (const { exitCode, stderr } of [link, scan]) {
      expect(exitCode).toBe(4)
      expect(stderr).toContain('hint: Check the ID\n')
    }
  },
)

const assigned = '5151d12e-2f9a-4d7a-962f-fd85d23bd68b'

test.each([
  [`users update ${assigned} --sex M`, `users update --user-id ${assigned} --sex M`],
  [`wellbeing --external-user-id=${assigned} -q`, `wellbeing --user-id ${assigned} -q`],
  [`summary mental --external-user-id ${assigned}`, `summary mental --user-id ${assigned}`],
  [`token -- ${assigned}`, `token --user-id ${assigned}`],
])('the error of "%s" for an unknown UUID suggests the same command with --user-id', async (line, next) => {
  const { exitCode, stderr } = await machine.facescan(line)
  expect([exitCode, stderr]).toEqual([4, expect.stringContaining(`with --user-id: facescan ${next}\n`)])
})

test('the suggested command with --user-id can be pasted into a shell', async () => {
  const { stderr } = await machine.facescan([
    'answers',
    'save',
    'two words=1',
    '--timezone',
    'UTC',
    '--external-user-id',
    assigned,
  ])
  expect(stderr).toContain(`: facescan answers save 'two words=1' --timezone UTC --user-id ${assigned}\n`)
})

test('a command that accepts only external user IDs does not suggest --user-id for a UUID', async () => {
  const { stderr } = await machine.facescan(`metrics ${assigned}`)
  expect(stderr).toContain('hint: If the service assigned this ID, pass the external user ID instead\n')
})

test('each command that changes a user prints one line about the change on stderr', async () => {
  const lines = async (line: string) => (await machine.facescan(line)).stderr.split('\n')
  expect(await lines('users create 4711')).toEqual(['Created user 4711 in SANDBOX-DEV', ''])
  expect(await lines('users update 4711 --sex M')).toEqual(['Updated user 4711 in SANDBOX-DEV', ''])
  expect(await lines('answers save weight=80 --external-user-id 4711 --timezone UTC')).toEqual([
    'Saved weight 80 for user 4711 in SANDBOX-DEV',
    '',
  ])
  expect(await lines('users delete 4711 --yes')).toEqual([
    'Deleted user 4711 and all of their data in SANDBOX-DEV',
    '',
  ])
  expect(await lines('users create 4712 --quiet')).toEqual([''])
})

test('"users create --if-not-exists" reports which values of the existing user differ', async () => {
  await machine.facescan('users create 4711 --sex F')
  const stored = await machine.facescan('users create 4711 --sex M --if-not-exists --json')
  expect(JSON.parse(stored.stdout)).toMatchObject({ sex: 'F' })
  expect(asText(stored.stderr)).toBe(
    'user 4711 already exists and was not changed; different in the existing user: sex\n',
  )
})

test.each([
  ['create', ' --birth-date 1980-01-01', 'sex, birth_date'],
  ['update', '', 'sex'],
])(
  'if the values in the response differ from the request, "users %s" reports an unknown outcome',
  async (verb, more, names) => {
    const stored = {
      user_id: exampleUserId,
      customer: 'ACME',
      sex: 'M',
      birth_date: '1950-01-01',
      language: 'en',
    }
    const server = await serve(({ method }) => reply(method === 'POST' ? 201 : 200, stored))
    const env = { FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) }
    const words = `users ${verb} 4711 --sex F --language en${more}`
    const changed = await machine.facescan(words, { env })
    expect([changed.exitCode, changed.stdout]).toEqual([8, ''])
    for (const name of names.split(', ')) expect(changed.stderr).toContain(`${name} differs from the request`)
    expect(changed.stderr).toContain('The change may have been applied')
    expect(changed.stderr).not.toMatch(/language differs|Created|Updated|1950/)
    if (verb === 'update') return
    const existing = await machine.facescan(`${words} --if-not-exists --jq .sex`, { env })
    expect([existing.exitCode, existing.stdout]).toEqual([0, 'M\n'])
    expect(existing.stderr).toContain('user 4711 may have existed before; different in the existing user:')
  },
)

test.each(['birth-date', 'birth_date'])(
  '"users update --clear %s" removes the date of birth',
  async (name) => {
    await machine.facescan('users create 4711 --birth-date 1984-02-29')
    await machine.facescan(`users update 4711 --clear ${name}`)
    const { stdout } = await machine.facescan('users get 4711 --json=birth_date')
    expect(JSON.parse(stdout)).toEqual({ birth_date: null })
  },
)

test('a dry run does not break a UUID in a URL at 80 columns, and does not break the URL at all in a pipe', async () => {
  const id = '2dbff54c-7a0b-4171-aa3d-ab4795cd230b'
  const line = `users get --user-id ${id} --dry-run`
  const { stdout } = await machine.facescan(line, { terminal: true, columns: 80, env: { NO_COLOR: '1' } })
  expect(stdout).toMatch(new RegExp(`^URL +http://\\S+/v2/users\\n {11}[?]user_id=${id}\\nHeaders`, 'm'))
  const piped = await machine.facescan(line)
  expect(piped.stdout).toMatch(new RegExp(`http://\\S+/v2/users[?]user_id=${id}`))
})

test('a dry run of "users delete" shows the user from the command line', async () => {
  await machine.facescan('users create 4711')
  const { stderr } = await machine.facescan('users delete 4711 --dry-run')
  expect(stderr).toContain('would delete user 4711 and all of their data in SANDBOX-DEV\n')
  expect((await machine.facescan('users get 4711')).exitCode).toBe(0)
})

test('a dry run of "users update" shows the new external user ID, and the old ID if it is known', async () => {
  const { user_id } = JSON.parse((await machine.facescan('users create 4711 --json')).stdout)
  const known = await machine.facescan('users update 4711 --new-external-user-id 4712 --dry-run')
  expect(known.stderr).toContain('External user ID  4711 → 4712')
  const same = await machine.facescan('users update 4711 --new-external-user-id 4711 --dry-run')
  expect(same.stderr).toContain('External user ID  4711 (unchanged)')
  const unknown = `users update --user-id ${user_id} --new-external-user-id 4712 --dry-run`
  expect((await machine.facescan(unknown)).stderr).toContain('External user ID  replaced')
})

test.each([['a\nb'], [' 4711'], ['4711 '], ['47\u200b11'], ['47\x0711']])(
  '"users create" refuses the ID %j, which contains an invisible character or starts or ends with a space',
  async (id) => {
    const refused = await machine.facescan(['users', 'create', '--external-user-id', id])
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain('the external user ID ')
    const suggests = refused.stderr.includes('to use this ID, add --ids exact')
    expect(suggests).toBe(!/\p{Cc}/u.test(id))
    expect(JSON.parse((await machine.facescan('sandbox status --json=users')).stdout)).toEqual({ users: 0 })
  },
)

test.each(['#N/A', '5.002E+03', 'WAAR', ' 000125'])(
  '"users create" accepts the ID "%s", which looks damaged, only with --ids exact',
  async (id) => {
    const refused = await machine.facescan(['users', 'create', id])
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect((await machine.facescan(['users', 'get', id])).exitCode).toBe(4)
    expect((await machine.facescan(['users', 'create', id, '--ids', 'exact'])).exitCode).toBe(0)
    expect((await machine.facescan(['users', 'get', id])).exitCode).toBe(0)
  },
)

test.each(['#N/A', 'TRUE', ' 4712', '47\u200b12'])(
  '"users update" accepts the new external user ID %j, which looks damaged, only with --ids exact',
  async (id) => {
    await machine.facescan('users create 4711')
    const words = ['users', 'update', '4711', '--new-external-user-id', id]
    const refused = await machine.facescan(words)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain('; to use this ID, add --ids exact')
    expect((await machine.facescan([...words, '--ids', 'exact'])).exitCode).toBe(0)
    expect((await machine.facescan(['users', 'get', '--external-user-id', id])).exitCode).toBe(0)
  },
)

test('"users update" refuses a control character in the new external user ID, and --ids without a new ID', async () => {
  await machine.facescan('users create 4711')
  const words = ['users', 'update', '4711', '--ids', 'exact']
  const control = await machine.facescan([...words, '--new-external-user-id', 'a\nb'])
  expect(control.exitCode).toBe(2)
  expect(control.stderr).toContain('contains a control character (U+000A)\n')
  const alone = await machine.facescan(words)
  expect(alone.exitCode).toBe(2)
  expect(alone.stderr).toContain('--ids needs --new-external-user-id')
})

test('if no value changes, "users update" reports that every value was unchanged', async () => {
  await machine.facescan('users create 4711 --language nl --sex F')
  const same = await machine.facescan('users update 4711 --language nl --sex F', { terminal: true })
  expect(same).toMatchObject({ exitCode: 0 })
  expect(same.stderr).toContain('Updated user 4711 (every value was unchanged) in ')
  const changed = await machine.facescan('users update 4711 --language en --sex F', { terminal: true })
  expect(changed.stderr).toMatch(/F \(unchanged\).*\n.*nl.* → .*en.*\n\n/)
  expect(changed.stderr).toContain('Updated user 4711 in ')
})
