import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { idleClock } from '../helpers/clock.ts'
import { exampleUserId, firstOfEach, usableExamples, wordsOf, writeInputFiles } from '../helpers/examples.ts'
import { createMachine, type Machine } from '../helpers/facescan.ts'
import { type HostileServer, reply, type Script, serve } from '../helpers/hostile-server.ts'

/** Sentences in the README and in the help that no other test checks. `test/help/promises.ts` lists them. */

const user = { user_id: exampleUserId, customer: 'x', language: 'en' }

let machine: Machine
let server: HostileServer

/** A machine that uses a service with this script. */
async function useService(script: Script, env: Record<string, string> = {}): Promise<void> {
  server = await serve(script)
  machine = createMachine({ FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40), ...env })
}

const write = (name: string, text: string) => {
  writeFileSync(join(machine.home, name), text)
  return join(machine.home, name)
}

const run = (line: string | readonly string[]) => machine.facescan(line, { clock: idleClock() })

test('if the service returns 500, the first example of each command except "doctor" prints nothing on stdout', async () => {
  await useService(() => reply(500, { detail: 'no' }))
  writeInputFiles(machine.home)
  const place = (name: string) => join(machine.home, name)
  const examples = (await usableExamples(['desktop'])).filter(({ line }) => !/ACME|> /.test(line))
  const failed: [string, string][] = []
  for (const { name, line } of firstOfEach(examples)) {
    const { exitCode, stdout } = await run(
      wordsOf(line, { input: place, output: place, userId: exampleUserId }),
    )
    if (exitCode !== 0) failed.push([name, stdout])
  }
  expect(failed.length).toBeGreaterThan(25)
  expect(failed.filter(([name, stdout]) => stdout !== '' && name !== 'doctor')).toEqual([])
})

test('if a filter or a field name is invalid, no command sends a request', async () => {
  await useService(() => reply(200, user))
  for (const line of [
    'users get 1 --jq .[',
    'users create 1 --jq .[',
    'users create 1 --json=unknown',
    'users update 1 --sex F --json=unknown',
    'answers save 1 weight=70 --timezone UTC --json=unknown',
    'users delete 1 --yes --jq .[',
  ])
    expect((await run(line)).exitCode, line).toBe(2)
  expect(server.requests).toEqual([])
})

test('"scan-url", "dashboard-url", and "token" print only one value on stdout', async () => {
  const sandbox = createMachine()
  await sandbox.facescan('users create 4711')
  for (const [line, field] of [
    ['scan-url 4711', 'url'],
    ['dashboard-url 4711', 'url'],
    ['token 4711', 'token'],
  ] as const) {
    const { stdout } = await sandbox.facescan(line)
    expect(stdout).toMatch(field === 'url' ? /^https?:\/\/\S+\n$/ : /^[\w-]+\.[\w-]+\.[\w-]+\n$/)
    expect(JSON.parse((await sandbox.facescan(`${line} --json`)).stdout)).toHaveProperty(field)
  }
})

test('"history list" shows changes to another service, but not changes to the sandbox', async () => {
  await useService(() => reply(201, user))
  const sandbox = ['users', 'create', '1', '--profile', 'SANDBOX-DEV']
  const bare = createMachine()
  expect((await bare.facescan(sandbox)).exitCode).toBe(0)
  expect((await bare.facescan('history list --json')).stdout).toBe('[]\n')
  expect((await run('users create 1 --confirm development')).exitCode).toBe(0)
  const [entry] = JSON.parse((await run('history list --json')).stdout)
  expect(entry).toMatchObject({ command: 'users create', outcome: 'done' })
})

test('FACESCAN_ACTION_TOKEN overrides FACESCAN_API_KEY and the key of the profile', async () => {
  const token = `e30.${Buffer.from(JSON.stringify({ exp: 4102444800 })).toString('base64url')}.c2ln`
  await useService(() => reply(200, []), { FACESCAN_ACTION_TOKEN: token })
  const stored = `profiles add ACME-DEV --key-stdin --no-verify --base-url ${server.url}`
  await machine.facescan(stored, { stdin: 'p'.repeat(40), env: { FACESCAN_API_KEY: '' } })
  const selected = { FACESCAN_API_KEY: '', FACESCAN_BASE_URL: '', FACESCAN_PROFILE: 'ACME-DEV' }
  for (const env of [undefined, selected])
    expect((await machine.facescan('biomarkers latest', env && { env })).stderr).not.toContain('error')
  expect(server.requests.map(({ headers }) => [headers['x-api-key'], headers['authorization']])).toEqual([
    [undefined, `Token ${token}`],
    [undefined, `Token ${token}`],
  ])
})

test('a time without a zone is sent without a zone, and the value "today" is sent as midnight UTC', async () => {
  await useService(() => reply(200, []))
  await run('biomarkers list 1 --start 2026-03-01T10:00:00')
  await run('biomarkers list 1 --start today')
  const starts = server.requests.map(({ target }) => new URL(target, server.url).searchParams.get('start'))
  expect(starts[0]).toBe('2026-03-01T10:00:00')
  expect(starts[1]).toMatch(/^\d{4}-\d\d-\d\dT00:00:00(\.0+)?(Z|\+00:00)$/)
})

describe('a list of users that stops because the service fails', () => {
  let isUp: boolean

  beforeEach(async () => {
    isUp = false
    const first = /[?&]external_user_id=u[0-4]$/
    await useService(({ target }) => {
      if (target.includes('questions')) return reply(200, [])
      return isUp || first.test(target) ? reply(200, user) : reply(500, { detail: 'no' })
    })
  })

  test.each([
    ['starts over if it has no output file', '', true],
    ['is resumed if it has an output file', '--out OUT', false],
  ])('after exit code 11, the same list %s', async (_, flags, isRepeated) => {
    const list = write(
      'staff.csv',
      `external_user_id\n${Array.from({ length: 40 }, (_, n) => `u${n}`).join('\n')}\n`,
    )
    const line = `users get --users ${list} --max-concurrency 1 ${flags.replace('OUT', join(machine.home, 'out.csv'))}`
    const stopped = await run(line)
    expect(stopped.exitCode, stopped.stderr).toBe(11)
    isUp = true
    const before = server.requests.length
    expect((await run(line)).exitCode).toBe(0)
    const later = server.requests.slice(before).map(({ target }) => target)
    expect(later.some((target) => target.endsWith('external_user_id=u0'))).toBe(isRepeated)
  })
})

test('"scan-url" writes a failed user to links.errors.csv, and "scan-url --users links.errors.csv" creates the link of this user', async () => {
  machine = createMachine()
  const list = write('staff.csv', 'external_user_id\n4711\n')
  const failed = await machine.facescan(`scan-url --users ${list} --out ${join(machine.home, 'links.csv')}`)
  expect(failed.exitCode, failed.stderr).toBe(10)
  const errors = join(machine.home, 'links.errors.csv')
  expect(readFileSync(errors, 'utf8')).toContain('4711')
  await machine.facescan('users create 4711')
  const retried = await machine.facescan(`scan-url --users ${errors} -o csv`)
  expect(retried.exitCode, retried.stderr).toBe(0)
  expect(retried.stdout).toMatch(/\r\n4711,http/)
})

test.each([
  'users import FILE',
  'invite FILE',
  'metrics --users FILE',
  'users delete --users FILE --confirm=2',
])('if a file is unclear, "%s" sends no request and shows the flags to add', async (line) => {
  await useService(() => reply(200, user))
  const file = write('staff.csv', 'Geslacht;Nr\nV;7\nM;8\n')
  const { exitCode, stdout, stderr } = await run(line.replace('FILE', file))
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toMatch(/run: facescan .* --map Nr=external_user_id/)
  expect(server.requests).toEqual([])
})

test.each([
  ['an unclear file', 'external_user_id,weight\n1,70\n'],
  ['an invalid row', 'external_user_id,lookup_key,value,timezone\n1,weight,1.5,UTC\n2,weight,70,UTC\n'],
])('"answers import" of %s requests only the lookup keys from the service', async (_, text) => {
  await useService(() => reply(200, ['weight', 'height']))
  const { exitCode, stderr } = await run(`answers import ${write('answers.csv', text)} --confirm development`)
  expect(exitCode, stderr).toBe(2)
  expect(server.requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
    'GET /v2/questions/all',
  ])
})

test.each(['status', 'doctor', 'doctor --bundle BUNDLE', 'profiles list', 'history list', 'imports list'])(
  '"%s" sends no request',
  async (line) => {
    await useService(() => reply(200, []))
    const { exitCode, stderr } = await run(line.replace('BUNDLE', join(machine.home, 'report.json')))
    expect(exitCode, stderr).toBe(0)
    expect(server.requests).toEqual([])
  },
)

test.each([20, 40, 60])('on a terminal with %i columns, no ID and no link is truncated', async (columns) => {
  machine = createMachine()
  const id = 'a-very-long-external-user-id-of-the-hospital-4711'
  const created = await machine.facescan(`users create ${id} --json=user_id`)
  const { user_id } = JSON.parse(created.stdout)
  await machine.facescan(`sandbox scan ${id} --count 2`)
  const [{ face_scan_id }] = JSON.parse((await machine.facescan(`biomarkers latest ${id} --json`)).stdout)
  const list = write('staff.csv', `external_user_id\n${id}\n`)
  const shown = async (line: string) =>
    (await machine.facescan(line, { terminal: true, columns, env: { NO_COLOR: '1' } })).stdout.replace(
      /\s/g,
      '',
    )
  expect(await shown(`users get ${id}`)).toContain(user_id)
  expect(await shown(`biomarkers get ${id} ${face_scan_id}`)).toContain(face_scan_id)
  // A table that is too narrow omits the whole column instead of truncating it.
  const scans = await shown(`biomarkers list ${id}`)
  expect(scans.includes(face_scan_id)).toBe(scans.includes(face_scan_id.slice(0, 4)))
  expect(await shown(`metrics --users ${list}`)).toContain(id)
  expect(await shown(`scan-url ${id}`)).toMatch(/^http[^…]+\.[\w-]{43}(&[^…]+)?$/)
  expect(await shown(`dashboard-url ${id}`)).toMatch(/^http[^…]+\.[\w-]{43}(&[^…]+)?$/)
})

test('with --dry-run, each command shows its request or number of users, and changes no data', async () => {
  const examples = firstOfEach(await usableExamples()).filter(
    ({ command: { effect, localEffect }, line }) =>
      (effect !== 'read' || localEffect === 'read') && !/ACME|> |doctor|-command/.test(line),
  )
  await useService(({ target }) => reply(200, target.includes('questions') ? ['weight', 'height'] : user))
  writeInputFiles(machine.home)
  const place = (name: string) => join(machine.home, name)
  const shown: string[] = []
  for (const { line, name } of examples) {
    const words = wordsOf(line, { input: place, output: place, userId: exampleUserId })
    const { stdout, stderr } = await run([...words, '--dry-run'])
    if (/https?:\/\/127|\b1 user\b|\bUsers\b/.test(stdout + stderr)) shown.push(name)
  }
  expect(server.requests.filter(({ method }) => method !== 'GET')).toEqual([])
  const sending = examples.filter(({ command: { calls } }) => calls.length > 0).map(({ name }) => name)
  expect(sending.length).toBeGreaterThan(25)
  expect(sending.filter((name) => !shown.includes(name))).toEqual([])
})

test('--store file writes a production key to a file that only its owner can read, and not to profiles.json', async () => {
  await useService(() => reply(200, []))
  const added = await machine.facescan(
    `profiles add ACME --key-stdin --store file --no-verify --base-url ${server.url}`,
    { stdin: 'p'.repeat(40), env: { FACESCAN_API_KEY: '', FACESCAN_BASE_URL: '' } },
  )
  expect(added.exitCode, added.stderr).toBe(0)
  const config = join(machine.home, 'config')
  const files = readdirSync(config).filter((name) =>
    readFileSync(join(config, name), 'utf8').includes('pppp'),
  )
  expect(files).toEqual(['keys-production.json'])
  expect(statSync(join(config, 'keys-production.json')).mode & 0o777).toBe(0o600)
})

test('a development profile changes its base URL or audit command only after a confirmation', async () => {
  await useService(() => reply(200, []), { FACESCAN_API_KEY: '', FACESCAN_BASE_URL: '' })
  const add = `profiles add ACME-DEV --key-stdin --no-verify --base-url ${server.url}`
  await machine.facescan(add, { stdin: 'p'.repeat(40) })
  const set = ['profiles', 'set', 'ACME-DEV']
  expect((await run([...set, '--audit-command', 'cat >/dev/null'])).exitCode).toBe(0)
  for (const change of [
    ['--audit-command', ''],
    ['--audit-command', 'cat'],
    ['--base-url', 'https://other.example'],
  ])
    expect((await run([...set, ...change])).exitCode, change.join(' ')).toBe(12)
  for (const change of [
    ['--rate', '5/s'],
    ['--timezone', 'UTC'],
    ['--protect', 'confirm'],
  ])
    expect((await run([...set, ...change])).exitCode, change.join(' ')).toBe(0)
})

test('a list command that only reads and has no --out leaves no lock, no journal, and no output in the state directory', async () => {
  machine = createMachine()
  await machine.facescan('users create 4711')
  const list = write('staff.csv', 'external_user_id\n4711\n')
  const files = () => readdirSync(join(machine.home, 'state'), { recursive: true }).toSorted()
  const before = files()
  expect((await machine.facescan(`users get --users ${list} -o csv`)).stdout).toMatch(/\r\n4711,/)
  expect(files()).toEqual(before)
  const out = join(machine.home, 'out.csv')
  expect((await machine.facescan(`users get --users ${list} --out ${out}`)).exitCode).toBe(0)
  expect(files().length).toBeGreaterThan(before.length)
})
