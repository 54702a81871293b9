import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { createMachine, type Machine } from '../../helpers/facescan.ts'
import { reply, serve, wait } from '../../helpers/hostile-server.ts'

let machine: Machine

beforeEach(() => {
  machine = createMachine()
})

function fileOf(content: string): string {
  const path = join(machine.home, 'staff.csv')
  writeFileSync(path, content)
  return path
}

const linesOf = (name: string) => readFileSync(join(machine.home, name), 'utf8').trimEnd().split('\r\n')

/** A service on which each user exists. `methods` returns the methods of the received requests. */
async function service() {
  const user = { user_id: crypto.randomUUID(), customer: 'ACME', external_user_id: null }
  const server = await serve(({ method }) =>
    method === 'DELETE' ? reply(204, '') : reply(method === 'POST' ? 201 : 200, user),
  )
  const env = { FACESCAN_API_KEY: 'k'.repeat(40), FACESCAN_BASE_URL: server.url }
  const run = async (line: string, exitCode = 0) => {
    const ran = await machine.facescan(line, { env })
    expect(ran.exitCode, ran.stderr).toBe(exitCode)
    return ran
  }
  return { run, methods: () => server.requests.map(({ method }) => method), user }
}

test('if two rows have the same user and the same data, "users import" sends one request and counts one user', async () => {
  const { run, methods, user } = await service()
  const path = fileOf('external_user_id,sex,note\na,F,x\nb,M,x\na,F,y\n')
  const { stdout, stderr } = await run(`users import ${path} --confirm=development --json`)
  expect(stderr).toContain('1 row repeats an earlier row; each user counts once')
  expect(JSON.parse(stdout)).toMatchObject({ users: 2, done: 2, failed: 0, not_tried: 0 })
  expect(methods()).toEqual(['POST', 'POST'])
  expect(linesOf('staff.users.csv').slice(1)).toEqual([
    `a,${user.user_id},created`,
    `b,${user.user_id},created`,
  ])
})

test('if two rows have the same user, "users delete" sends one request, counts one user, and writes each row', async () => {
  const { run, methods, user } = await service()
  const path = fileOf('external_user_id,email\na,1@x\nb,2@x\na,3@x\n')
  const line = `users delete --users ${path} --keep email`
  const planned = await run(`${line} --dry-run`)
  expect(planned.stderr).toContain('would delete 2 users')
  expect((await run(`${line} --confirm=2`)).stderr).toContain('Deleted 2 users')
  expect(methods().sort()).toEqual(['DELETE', 'DELETE', 'GET', 'GET'])
  const rows = ['a,1@x', 'b,2@x', 'a,3@x'].map((given) => `${given},${user.user_id},true`)
  expect(linesOf('staff.deleted.csv').slice(1)).toEqual(rows)
})

test('if two rows have the same user, the JSON and the audit log of "users delete" count the user once', async () => {
  const server = await serve(({ method, target }) => {
    if (target.endsWith('=b')) return reply(404, { detail: 'user not found' })
    return method === 'DELETE' ? reply(204, '') : reply(200, { user_id: 'id-a', customer: 'ACME' })
  })
  const env = { FACESCAN_API_KEY: 'k'.repeat(40), FACESCAN_BASE_URL: server.url }
  const line = `users delete --users ${fileOf('external_user_id\na\nb\na\nb\n')} --json`
  const planned = await machine.facescan(`${line} --dry-run`, { env })
  expect(JSON.parse(planned.stdout)).toMatchObject({ users: 2, not_tried: 2 })
  const { exitCode, stdout, stderr } = await machine.facescan(`${line} --confirm=2`, { env })
  expect(exitCode, stderr).toBe(10)
  expect(JSON.parse(stdout)).toMatchObject({ users: 2, done: 1, failed: 1, not_tried: 0 })
  expect(stderr).toContain('1 of 2 users failed; 1 done')
  expect((await machine.facescan('history list --json=detail', { env })).stdout).toContain('1 done, 1 failed')
})

test('if "users delete" stopped between two rows of one user, the repeated command deletes each user once', async () => {
  const deleted = new Set<string>()
  let isForbidden = true
  const server = await serve(({ method, target }) => {
    const id = /[ab]$/.exec(target)?.[0] ?? ''
    // The status 403 for user b stops the run after user a was deleted.
    if (id === 'b' && isForbidden) return [wait(500), reply(403, { detail: 'no' })]
    if (deleted.has(id)) return reply(404, { detail: 'no such user' })
    if (method === 'DELETE') deleted.add(id)
    return method === 'DELETE' ? reply(204, '') : reply(200, { user_id: `id-${id}`, customer: 'ACME' })
  })
  const env = { FACESCAN_API_KEY: 'k'.repeat(40), FACESCAN_BASE_URL: server.url }
  const line = `users delete --users ${fileOf('external_user_id\na\nb\na\na\n')} --confirm=2`
  const stopped = await machine.facescan(line, { env })
  expect(stopped.exitCode, stopped.stderr).toBe(5)
  expect(stopped.stderr).toContain('1 done, 0 failed, 1 not tried')
  isForbidden = false
  const resumed = await machine.facescan(line, { env })
  expect(resumed.exitCode, resumed.stderr).toBe(0)
  expect(linesOf('staff.deleted.csv').slice(1)).toEqual(
    ['a', 'b', 'a', 'a'].map((id) => `${id},id-${id},true`),
  )
})

test('if several rows of a list have the same user and the same flags, "users get" sends one request for the user', async () => {
  const { run, methods } = await service()
  const path = fileOf('external_user_id,email\na,1@x\na,2@x\nb,3@x\na,4@x\n')
  const { stdout } = await run(`users get --users ${path} --keep email -o csv --no-header`)
  expect(stdout.split('\r\n').map((row) => row.slice(0, 5))).toEqual(['a,1@x', 'a,2@x', 'b,3@x', 'a,4@x', ''])
  expect(methods()).toEqual(['GET', 'GET'])
})

test('if two rows of a user have different data, "users import --skip-invalid" skips all rows of the user', async () => {
  const { run, methods } = await service()
  const path = fileOf('external_user_id,sex\na,F\na,F\nb,F\na,M\n')
  await run(`users import ${path} --skip-invalid --confirm=development`)
  expect(linesOf('staff.users.csv').slice(1)).toHaveLength(1)
  expect(methods()).toEqual(['POST'])
})

test('"users import" reports conflicting rows and invalid user IDs in the order of their lines', async () => {
  const { run } = await service()
  const path = fileOf('external_user_id,sex\na,F\n#N/A,F\na,M\n####,F\na,F\n')
  const { stderr } = await run(`users import ${path}`, 2)
  const shown = [...stderr.matchAll(/line (\d+): (the same user ID as on line \d+|\S+ \S+ \S+)/g)]
  expect(shown.map(([, line, text]) => `${line} ${text}`)).toEqual([
    '3 the user ID',
    '4 the same user ID as on line 2',
    '5 the user ID',
  ])
})
