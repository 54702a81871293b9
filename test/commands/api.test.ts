import { execFileSync } from 'node:child_process'
import { constants, writeFileSync } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { createMachine, type Machine } from '../helpers/facescan.ts'

let machine: Machine

beforeEach(() => {
  machine = createMachine()
})

test('"api" sends fields in the body of a POST and in the query of a GET', async () => {
  const created = await machine.facescan('api POST /v2/users -f external_user_id=4711 -f sex=F')
  expect(JSON.parse(created.stdout)).toMatchObject({ sex: 'F' })
  const found = await machine.facescan('api GET /v2/users -f external_user_id=4711 --jq .sex')
  expect(found.stdout).toBe('F\n')
})

test('"api" prints a success line on stderr if it changes data, but not if it reads data', async () => {
  const created = await machine.facescan('api POST /v2/users -f external_user_id=4711')
  expect(created.stderr).toBe('POST request succeeded in SANDBOX-DEV\n')
  const { user_id } = JSON.parse(created.stdout)
  expect((await machine.facescan(`api GET /v2/users -f user_id=${user_id}`)).stderr).toBe('')
  const deleted = await machine.facescan(`api DELETE /v2/users/ -f user_id=${user_id} --yes`)
  expect(deleted).toMatchObject({ stdout: '', stderr: 'DELETE request succeeded in SANDBOX-DEV\n' })
})

test('"api" sends the value of -F with its JSON type, and sends the content of the file for @FILE', async () => {
  await machine.facescan('users create --external-user-id 4711')
  const zone = `${machine.home}/zone`
  writeFileSync(zone, 'UTC')
  const path = '/v2/questions/answer?external_user_id=4711'
  const saved = await machine.facescan(
    `api POST ${path} -f lookup_key=weight -F value=80 -F timezone=@${zone}`,
  )
  expect(JSON.parse(saved.stdout)).toMatchObject({ lookup_key: 'weight', value: 80 })
})

test.skipIf(process.platform === 'win32')(
  '"api" with two files in -F reads the second file only after the end of the first file',
  async () => {
    const [first, second] = ['first', 'second'].map((name) => join(machine.home, name)) as [string, string]
    execFileSync('mkfifo', [first, second])
    const running = machine.facescan(
      `api POST /v2/users --dry-run --json -F sex=@${first} -F language=@${second}`,
    )
    const writer = await open(first, 'w')
    // Opening the second pipe for writing fails until the command reads it.
    const early = await open(second, constants.O_WRONLY | constants.O_NONBLOCK).catch(({ code }) => code)
    expect(early).toBe('ENXIO')
    await writer.writeFile('F')
    await writer.close()
    await writeFile(second, 'nl')
    expect(JSON.parse((await running).stdout).body).toEqual({ sex: 'F', language: 'nl' })
  },
)

test.each(['/v2/users/jan.de.vries', '/v2/users/5151d12e%2d2f9a', '/v3/people/jan.de.vries'])(
  'the trace of a request to %s hides possible user IDs in the path',
  async (path) => {
    const { stderr } = await machine.facescan(`api PUT ${path} -f sex=F --debug`)
    expect(stderr).toMatch(/→ PUT http:\S+\*\*\*\n/)
    expect(stderr).not.toMatch(/vries|5151d12e/)
  },
)

test('"api" writes an image to a file or a pipe, but not to a terminal', async () => {
  const line = 'api GET /v1/regulatory/ce-label'
  expect((await machine.facescan(line)).bytes.subarray(1, 4).toString()).toBe('PNG')
  const shown = await machine.facescan(line, { terminal: true })
  expect(shown).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('Redirect') })
})

test('the curl command of a dry run contains no control sequences', async () => {
  const line = ['users', 'get', '--external-user-id', 'a\u009bb\u202e', '--dry-run', '--curl']
  const { stderr } = await machine.facescan(line, { terminal: true })
  expect(stderr).toContain('curl --silent')
  expect(stderr).not.toMatch(/[\u009b\u202e]/)
})

test('"api" prints nothing for an empty response', async () => {
  const created = await machine.facescan('users create --external-user-id 4711 --json=user_id')
  const { user_id } = JSON.parse(created.stdout)
  const deleted = await machine.facescan(`api DELETE /v2/users/ -f user_id=${user_id} --yes`)
  expect(deleted).toMatchObject({ exitCode: 0, stdout: '' })
  const again = await machine.facescan(`api DELETE /v2/users/ -f user_id=${user_id} --yes --json`)
  expect(again).toMatchObject({ exitCode: 4, stdout: '' })
})

test.each([
  ['api GET v2/users', 'is not a valid path'],
  ['api GET //evil.example/v2/users', 'is not a valid path'],
  ['api GET /v2/face-scans/../users', 'is not a valid path'],
  ['api GET /v2/face-scans/%2e%2e/users', 'is not a valid path'],
  ['api GET /v2/users?external_user_id=4#11', 'is not a valid path'],
  ['api PATCH /v2/users', 'not one of GET, POST, PUT, DELETE'],
  ['api POST /v2/users -f sex', 'not a valid field'],
  ['api POST /v2/users -f sex=F --body -', '--body and fields cannot be used together'],
  ['api POST /v2/users --body nowhere.json', '--body: cannot read nowhere.json (no such file or directory)'],
  ['api POST /v2/users -F sex=@nowhere', '--field: cannot read nowhere (no such file or directory)'],
])('"%s" is a usage error, and its message states the reason', async (line, message) => {
  const result = await machine.facescan(line)
  expect(result).toMatchObject({ exitCode: 2, stdout: '' })
  expect(result.stderr).toContain(message)
})

test('if "api --body" receives JSON instead of a file name, the error does not contain the JSON', async () => {
  const { exitCode, stderr } = await machine.facescan(['api', 'POST', '/v2/users', '--body', '{"sex":"F"}'])
  expect(exitCode).toBe(2)
  expect(stderr).toContain('--body: must be a file name or -, not JSON')
  expect(stderr).not.toContain('sex')
})

test('the error of "api" for an unknown path suggests the command that lists the paths', async () => {
  const { exitCode, stderr } = await machine.facescan('api GET /v2/persons')
  expect(exitCode).toBe(4)
  expect(stderr).toContain('hint: Check the path. List all paths of the API: facescan sandbox openapi')
  const listed = await machine.facescan(['sandbox', 'openapi', '--jq', '.paths | keys[]'])
  expect(listed.stdout).toContain('/v2/users\n')
  const unknownUser = await machine.facescan('api GET /v2/users?external_user_id=nope')
  expect(unknownUser.stderr).toContain('facescan users create')
})

test('if a path for "api" contains a query parameter twice, both values are sent', async () => {
  const planned = await machine.facescan('api GET /v2/users?id=1&x&id=2 --dry-run --json=url')
  expect(new URL(JSON.parse(planned.stdout).url).search).toBe('?id=1&id=2&x=')
})

test('"api" refuses a field that is set twice', async () => {
  const { exitCode, stderr } = await machine.facescan('api POST /v2/users -f a=1 -F b=2 -F a=3 -f a=4')
  expect({ exitCode, problems: stderr.match(/is set twice/g) }).toEqual({
    exitCode: 2,
    problems: ['is set twice'],
  })
})

test('"api" sends and prints every digit of a large number', async () => {
  const line = ['api', 'POST', '/v2/questions/answer', '--dry-run', '--json']
  const { stdout } = await machine.facescan([...line, '-F', 'value=12345678901234567890'])
  expect(stdout).toContain('"value": 12345678901234567890')
  const fromFile = await machine.facescan([...line, '--body', '-'], {
    stdin: '{"value":12345678901234567890}',
  })
  expect(fromFile.stdout).toContain('"value": 12345678901234567890')
})

test('"api" exits with 4 for an unknown path', async () => {
  expect(await machine.facescan('api GET /v2/nothing')).toMatchObject({ exitCode: 4, stdout: '' })
})

test('a dry run of "api" shows the request with a masked key and sends nothing', async () => {
  const result = await machine.facescan('api POST /v2/users -f external_user_id=4711 --dry-run --json')
  expect(JSON.parse(result.stdout)).toMatchObject({ method: 'POST', headers: { 'x-api-key': '***' } })
  expect((await machine.facescan('users get --external-user-id 4711')).exitCode).toBe(4)
})

test.each([
  '/v2/users/?user_id=A&user-id=B',
  '/v2/users/?user_id=A&user_id=B',
  '/v2/users/?user_id=A&extra=1',
  '/v2/users/?User_Id=A',
  '/v2/users/?user%20id=A',
  '/v2/users/?id=A',
])(
  '"api DELETE" accepts only a query with exactly one user_id or external_user_id, and refuses: %s',
  async (path) => {
    const refused = await machine.facescan(['api', 'DELETE', path, '--yes'])
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain('nothing was sent')
  },
)
