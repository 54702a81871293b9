import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reply, serve } from '../../helpers/hostile-server.ts'
import { asText } from '../../helpers/messages.ts'
import { useStaff } from './staff.ts'

const { facescan, home, listOf } = useStaff()

test('if the start time in a row is later than its end time, "biomarkers list" refuses the list and names the line', async () => {
  const list = listOf('external_user_id,start,end\nu1,2025-01-01,2025-02-01\nu2,2025-02-01,2025-01-01\n')
  const { exitCode, stdout, stderr } = await facescan(`biomarkers list --users ${list}`)
  expect(stderr).toContain('line 3: --start must be before --end')
  expect(stderr).not.toContain('line 2')
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
})

test('if a time in a row of "biomarkers list" is invalid, this is the only reason in the file of skipped rows', async () => {
  const list = listOf('external_user_id,start,end\nu1,soon,2025-01-01\nu2,2025-01-02,2025-01-01\n')
  const errors = join(home, 'errors.csv')
  const line = `biomarkers list --users ${list} -o csv --skip-invalid --errors ${errors} --yes`
  expect((await facescan(line)).exitCode).toBe(0)
  const [, first = '', second = ''] = readFileSync(errors, 'utf8').split(/\r?\n/)
  expect(first).toContain('start')
  expect(first).not.toContain('--start must be before --end')
  expect(second).toContain('--start must be before --end')
})

test('"metrics" refuses a list with user IDs, because the service accepts only external user IDs for metrics', async () => {
  const id = (await facescan('users get u1 --jq .user_id')).stdout.trim()
  const { exitCode, stderr } = await facescan(`metrics --users ${listOf(`user_id\n${id}\n`)}`)
  expect(exitCode).toBe(2)
  expect(stderr).toContain('line 2: user_id is not supported here; use external_user_id')
})

test('"users get" requests a user by user ID if the list contains only user IDs', async () => {
  const server = await serve(({ target }) =>
    target.includes('user_id') ? reply(404, { detail: 'user not found' }) : reply(200, []),
  )
  const id = '6f9619ff-8b86-4011-b42d-00c04fc964ff'
  const env = { FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) }
  const { exitCode } = await facescan(`users get --users ${listOf(`user_id\n${id}\n`)}`, { env })
  expect(exitCode).toBe(10)
  expect(server.requests[0]?.target).toBe(`/v2/users?user_id=${id}`)
})

test('if several users have more scans than shown, "biomarkers list" prints one note, and --all prints no note', async () => {
  for (const id of ['many1', 'many2']) {
    await facescan(`users create ${id} --if-not-exists`)
    await facescan(`sandbox scan ${id} --count 11 --days 11`)
  }
  const line = `biomarkers list --users ${listOf('external_user_id\nu1\nmany1\nmany2\n')} -o csv`
  const { stderr } = await facescan(line)
  expect(asText(stderr).match(/some users have more results than shown: .*/g)).toEqual([
    'some users have more results than shown: there are more scans than the newest 10; use --all to show all',
  ])
  expect((await facescan(`${line} --all`)).stderr).not.toContain('more')
})
