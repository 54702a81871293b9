import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { idleClock } from '../helpers/clock.ts'
import { createMachine } from '../helpers/facescan.ts'
import { reply, serve } from '../helpers/hostile-server.ts'

/** A service that returns 503 for the first deletion and 404 for later deletions. */
async function openService({ isApplied, isReadable = true }: { isApplied: boolean; isReadable?: boolean }) {
  const user = { user_id: crypto.randomUUID(), customer: 'ACME', external_user_id: null }
  let deletions = 0
  const server = await serve(({ method, target }) => {
    if (target.includes('questions')) return reply(200, [])
    if (method === 'DELETE') return deletions++ === 0 ? reply(503) : reply(404, { detail: 'Not Found' })
    if (!isReadable) return reply(400, { detail: 'user_id is not supported' })
    if (deletions > 0 && isApplied) return reply(404, { detail: 'user not found' })
    // Services return a user ID in different spellings.
    return reply(200, deletions > 0 ? { ...user, user_id: user.user_id.toUpperCase() } : user)
  })
  const env = { FACESCAN_API_KEY: 'k'.repeat(40), FACESCAN_BASE_URL: server.url }
  const machine = createMachine()
  const run = (words: string) => machine.facescan(words, { env, clock: idleClock() })
  return { user, server, machine, run }
}

describe('if the first attempt of a deletion gets status 503 and the second attempt gets status 404', () => {
  test('"users delete" succeeds if the user does not exist', async () => {
    const { run } = await openService({ isApplied: true })
    const { exitCode, stderr } = await run('users delete 4711 --yes')
    expect(exitCode, stderr).toBe(0)
  })

  test('"users delete" succeeds if the service refuses requests that read a user by user ID', async () => {
    const { run, user } = await openService({ isApplied: true, isReadable: false })
    const { exitCode, stderr } = await run(`users delete --user-id ${user.user_id} --yes`)
    expect(exitCode, stderr).toBe(0)
  })

  test('"users delete" fails with exit code 4 if the user still exists', async () => {
    const { run } = await openService({ isApplied: false })
    const { exitCode, stdout, stderr } = await run('users delete 4711 --yes')
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: '' })
    expect(stderr).toContain(
      'the user was not deleted: the service returned 404 for the deletion, but the user exists',
    )
  })

  test.each([
    [true, 0],
    [false, 10],
  ])(
    '"users delete --users" with a user who was deleted: %s ends with exit code %i',
    async (isApplied, code) => {
      const { run, machine } = await openService({ isApplied })
      const path = join(machine.home, 'leavers.csv')
      writeFileSync(path, 'external_user_id\n4711\n')
      const line = `users delete --users ${path} --confirm=1`
      const { exitCode, stderr } = await run(line)
      expect(exitCode, stderr).toBe(code)
      const result = join(machine.home, 'leavers.deleted.csv')
      expect(existsSync(result) && readFileSync(result, 'utf8').includes('4711')).toBe(isApplied)
    },
  )
})

test('a repeated "users delete" fails again after a 404 if the user still exists', async () => {
  const { run, machine } = await openService({ isApplied: false })
  const path = join(machine.home, 'leavers.csv')
  writeFileSync(path, 'external_user_id\n4711\n')
  const line = `users delete --users ${path} --confirm=1`
  expect((await run(`${line} --retries 0`)).exitCode).toBe(10)
  const { exitCode, stderr } = await run(line)
  expect(exitCode, stderr).toBe(10)
  expect(readFileSync(join(machine.home, 'leavers.deleted.csv'), 'utf8')).not.toContain('4711')
})

describe.each([
  [200, ''],
  [200, '<html>login</html>'],
  [202, ''],
])('if the deletion gets status %i with the body "%s"', (status, body) => {
  async function openUnclear({ isApplied, isReadable = true }: { isApplied: boolean; isReadable?: boolean }) {
    const user = { user_id: crypto.randomUUID(), customer: 'ACME', external_user_id: null }
    let isSent = false
    const server = await serve(({ method, target }) => {
      if (target.includes('questions')) return reply(200, [])
      isSent ||= method === 'DELETE'
      if (method === 'DELETE') return reply(status, body)
      if (!isReadable) return reply(400, { detail: 'user_id is not supported' })
      return isSent && isApplied ? reply(404, { detail: 'user not found' }) : reply(200, user)
    })
    const env = { FACESCAN_API_KEY: 'k'.repeat(40), FACESCAN_BASE_URL: server.url }
    const machine = createMachine()
    const path = join(machine.home, 'leavers.csv')
    writeFileSync(path, 'external_user_id\n4711\n')
    const run = (words: string) => machine.facescan(words, { env, clock: idleClock() })
    return { run, user, path, deleted: join(machine.home, 'leavers.deleted.csv') }
  }

  test('"users delete" succeeds if the service no longer finds the user', async () => {
    const single = await openUnclear({ isApplied: true })
    const { exitCode, stderr } = await single.run('users delete 4711 --yes')
    expect(exitCode, stderr).toBe(0)
    const { run, path, deleted } = await openUnclear({ isApplied: true })
    const list = await run(`users delete --users ${path} --confirm=1`)
    expect(list.exitCode, list.stderr).toBe(0)
    expect(readFileSync(deleted, 'utf8')).toContain('4711')
  })

  test('"users delete" fails if the user still exists', async () => {
    const { run, path, deleted } = await openUnclear({ isApplied: false })
    const { exitCode, stderr } = await run('users delete 4711 --yes')
    expect(exitCode, stderr).toBe(8)
    expect(stderr).toContain(', and the user still exists')
    expect(stderr).toContain('The change may have been applied')
    expect((await run(`users delete --users ${path} --confirm=1`)).exitCode).toBe(10)
    expect(existsSync(deleted) && readFileSync(deleted, 'utf8').includes('4711')).toBe(false)
  })

  test('"users delete" fails if the service refuses requests that read a user by user ID', async () => {
    const { run, user } = await openUnclear({ isApplied: true, isReadable: false })
    expect((await run(`users delete --user-id ${user.user_id} --yes`)).exitCode).toBe(8)
  })
})
