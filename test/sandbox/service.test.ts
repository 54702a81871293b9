import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts'

let folder: string
let sandbox: Sandbox

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
  sandbox = await startSandbox({ database: join(folder, 'db.sqlite') })
})

afterAll(async () => {
  await sandbox.close()
  rmSync(folder, { recursive: true })
})

function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  return fetch(sandbox.url + path, {
    method,
    headers: {
      'x-api-key': sandbox.keys.development.key,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

it('creates a user, issues a token and lets it read the user’s scans', async () => {
  const created = await call('POST', '/v2/users', { external_user_id: '4711', sex: 'F' })
  expect(created.status).toBe(201)
  expect(await created.json()).toMatchObject({ external_user_id: null, sex: 'F', language: 'en' })
  const authenticated = await call('POST', '/v2/users/authenticate', { external_user_id: '4711' })
  expect(authenticated.status).toBe(201)
  const { token } = (await authenticated.json()) as { token: string }
  const scans = await fetch(`${sandbox.url}/v2/face-scans/`, { headers: { authorization: `Token ${token}` } })
  expect([scans.status, await scans.json()]).toEqual([200, []])
})

it('lists every wrong field of a body at once', async () => {
  const reply = await call('POST', '/v2/users', { sex: 'X', birth_date: 'yesterday' })
  expect(reply.status).toBe(422)
  const { detail } = (await reply.json()) as { detail: { loc: string[] }[] }
  expect(detail.map(({ loc }) => loc.join('.')).toSorted()).toEqual([
    'body.birth_date',
    'body.external_user_id',
    'body.sex',
  ])
})
