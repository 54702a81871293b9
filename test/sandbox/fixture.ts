import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { openStore, type Store } from '../../src/sandbox/index.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts'
import { recordScans } from '../../src/sandbox/synthetic.ts'

interface Reply {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: the tests check the type of each response.
  body: any
}

interface CallOptions {
  body?: unknown
  query?: Record<string, string | number>
  headers?: Record<string, string>
  token?: string
}

export interface Fixture {
  sandbox: Sandbox
  store: Store
  /** The current time of the service. Tests can change it. */
  nowMs: number
  /** Sends a request with the given token, or with the development key. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>
  createUser(fields?: object): Promise<{ externalUserId: string; userId: string }>
  tokenOf(externalUserId: string): Promise<string>
  scan(externalUserId: string, count: number, days?: number): void
  answer(externalUserId: string, answers: Record<string, number>): Promise<Reply>
}

/** A sandbox with its own port and database for the tests of one file. */
export function useSandbox(options: Omit<SandboxOptions, 'database' | 'clock'> = {}): Fixture {
  const fixture = { nowMs: Date.parse('2026-03-10T12:00:00Z') } as Fixture
  let folder: string
  let users = 0

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'facescan-sandbox-'))
    const database = join(folder, 'sandbox.sqlite')
    fixture.sandbox = await startSandbox({
      strict: true,
      database,
      announce: true,
      clock: { now: () => fixture.nowMs },
      ...options,
    })
    fixture.store = await openStore(database)
  })

  afterAll(async () => {
    fixture.store.close()
    await fixture.sandbox.close()
    rmSync(folder, { recursive: true })
  })

  fixture.call = (method, path, request = {}) => send(fixture.sandbox, method, path, request)

  fixture.createUser = async (fields = {}) => {
    users += 1
    const externalUserId = `user-${users}`
    const { body } = await fixture.call('POST', '/v2/users', {
      body: { external_user_id: externalUserId, ...fields },
    })
    return { externalUserId, userId: body.user_id }
  }

  fixture.tokenOf = async (externalUserId) => {
    const request = { body: { external_user_id: externalUserId } }
    const { body } = await fixture.call('POST', '/v2/users/authenticate', request)
    return body.token
  }

  fixture.scan = (externalUserId, count, days = count) => {
    const user = { external_user_id: externalUserId }
    recordScans(fixture.store, { user, count, days, seed: 1, now: fixture.nowMs })
  }

  fixture.answer = (externalUserId, answers) =>
    fixture.call('POST', '/v2/questions/answer/many', {
      query: { external_user_id: externalUserId },
      body: Object.entries(answers).map(([lookup_key, value]) => ({
        lookup_key,
        value,
        timezone: 'Europe/Amsterdam',
      })),
    })

  return fixture
}

async function send(sandbox: Sandbox, method: string, path: string, request: CallOptions): Promise<Reply> {
  const url = new URL(sandbox.url + path)
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, String(value))
  const credential: Record<string, string> = request.token
    ? { authorization: `Token ${request.token}` }
    : { 'x-api-key': sandbox.keys.development.key }
  const hasBody = request.body !== undefined
  const reply = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      ...credential,
      ...(hasBody && { 'content-type': 'application/json' }),
      ...request.headers,
    },
    ...(hasBody
      ? { body: typeof request.body === 'string' ? request.body : JSON.stringify(request.body) }
      : {}),
  })
  return { status: reply.status, headers: reply.headers, body: await readBody(reply) }
}

async function readBody(reply: Response): Promise<unknown> {
  const type = reply.headers.get('content-type') ?? ''
  if (type.startsWith('image/')) return Buffer.from(await reply.arrayBuffer())
  const text = await reply.text()
  return type.startsWith('application/json') ? JSON.parse(text) : text
}
