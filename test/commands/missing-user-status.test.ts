import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { confirmed } from '../bulk/send/fixture.ts'
import { idleClock } from '../helpers/clock.ts'
import { createMachine } from '../helpers/facescan.ts'
import { reply, reset, serve } from '../helpers/hostile-server.ts'

describe.each([
  [400, { detail: 'User not found.' }],
  [410, { detail: 'The user does not exist' }],
  [422, { detail: [{ loc: ['query', 'external_user_id'], msg: 'user 4711 not found', type: 'value' }] }],
])('a service that answers with status %i and %j if the user does not exist', (status, body) => {
  const missing = () => reply(status, body, { date: new Date().toUTCString() })

  /**
   * Returns functions that write a list and run a command. For the first `lost` changes, the connection is closed without a response, and
   * the service applies the change after that.
   */
  async function open({ lost = 0, existing = [] as string[] }) {
    const users = new Map(existing.map((id) => [id, crypto.randomUUID()]))
    const created: string[] = []
    let losses = 0
    const server = await serve((request) => {
      const { method, target } = request
      if (target.startsWith('/v2/questions/all')) return reply(200, ['weight', 'height'])
      const query = new URL(target, 'http://x').searchParams
      const isCreation = method === 'POST' && target === '/v2/users'
      const id = isCreation ? JSON.parse(request.body).external_user_id : query.get('external_user_id')
      const isChange = method === 'DELETE' || isCreation
      if (isCreation && losses++ < lost) return reset()
      if (isCreation) users.set(id, crypto.randomUUID())
      if (isCreation) created.push(id)
      const known = [...users].find(([external, own]) => external === id || own === query.get('user_id'))
      if (known === undefined) return missing()
      if (method === 'DELETE') users.delete(known[0])
      if (method === 'DELETE') return losses++ < lost ? reply(503) : reply(204)
      if (!isChange && method === 'POST') return confirmed(request)
      return reply(isCreation ? 201 : 200, { user_id: known[1], customer: 'ACME', external_user_id: null })
    })
    const env = { FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) }
    const machine = createMachine(env)
    return {
      users,
      created,
      write(content: string) {
        writeFileSync(join(machine.home, 'list.csv'), content)
        return join(machine.home, 'list.csv')
      },
      read: (name: string) => readFileSync(join(machine.home, name), 'utf8'),
      run: (words: string) => machine.facescan(words, { clock: idleClock() }),
    }
  }

  test('"answers import" rejects the rows of an unknown user', async () => {
    const { run, write, read } = await open({ existing: ['4710'] })
    const path = write('external_user_id,weight,height\n4710,72,181\n4711,72,181\n')
    const { exitCode, stdout, stderr } = await run(`answers import ${path} --timezone UTC --json`)
    expect(exitCode, stderr).toBe(10)
    expect(JSON.parse(stdout)).toMatchObject({ accepted: 2, rejected: 2, unknown: 0 })
    expect(read('list.rejects.csv')).toContain('user not found')
  })

  test('"users import" creates a user again after a lost request', async () => {
    const { run, write, created } = await open({ lost: 1 })
    const { exitCode, stderr } = await run(`users import ${write('external_user_id\n4711\n')}`)
    expect(exitCode, stderr).toBe(0)
    expect(created).toEqual(['4711'])
  })

  test('a dry run of "users import --existing update" counts an unknown user as created', async () => {
    const { run, write } = await open({ existing: ['4711'] })
    const path = write('external_user_id\n4711\n4712\n')
    const { exitCode, stderr } = await run(`users import ${path} --existing update --dry-run`)
    expect(exitCode, stderr).toBe(0)
    expect(stderr).toContain('1 unchanged, 1 created')
  })

  test('"users delete --users" succeeds if the first attempt with status 503 deleted the user', async () => {
    const { run, write, users } = await open({ lost: 1, existing: ['4711'] })
    const path = write('external_user_id\n4711\n')
    const { exitCode, stderr } = await run(`users delete --users ${path} --confirm=1`)
    expect(exitCode, stderr).toBe(0)
    expect(users.size).toBe(0)
  })

  test('"users get" of an unknown user ends with exit code 6', async () => {
    const { run } = await open({})
    expect((await run('users get 4711')).exitCode).toBe(6)
  })
})
