import { expect, test } from 'vitest'
import type { Call, Send } from '../../src/http/chain.ts'
import { PlannedRequest, showCurl, stopDryRun, trace } from '../../src/http/trace.ts'
import type { WireRequest, WireResponse } from '../../src/http/wire.ts'

const post: WireRequest = {
  method: 'POST',
  origin: 'https://api.test',
  path: '/v2/users?external_user_id=4711',
  route: '/v2/users',
  headers: { 'x-api-key': 'k.1!k.1!', accept: 'application/json' },
  body: '{"name":"Zoë"}',
}
const { body: _, ...get } = { ...post, method: 'GET' as const }
const reply: WireResponse = {
  status: 503,
  headers: { 'content-type': 'text/html', server: 'x', 'retry-after': '2', 'x-request-id': 'of k.1!k.1!' },
  body: Buffer.from('away'),
  durationMs: 12.4,
}

function callOf(request: WireRequest, attempt: number): Call {
  const endpoint = { method: request.method, path: request.route } as Call['endpoint']
  return { endpoint, input: {}, request, credential: undefined, attempt }
}

async function traceOf(request: WireRequest, attempt: number, send: Send): Promise<string[]> {
  const lines: string[] = []
  await trace((line) => lines.push(line))(callOf(request, attempt), send).catch(() => undefined)
  return lines
}

const answers = (response: WireResponse) => async () => response
const empty = answers({ ...reply, headers: {} })

test('the trace of a request contains headers and body size but no key, IDs, or body', async () => {
  expect((await traceOf(post, 1, empty)).slice(0, -1)).toEqual([
    '→ POST https://api.test/v2/users?external_user_id=***',
    '  x-api-key: ***',
    '  accept: application/json',
    '  body: 15 bytes',
  ])
})

test('the trace prints the attempt number of a second attempt', async () => {
  expect((await traceOf(get, 2, empty)).slice(0, -1)).toEqual([
    '→ GET https://api.test/v2/users?external_user_id=*** (attempt 2)',
    '  x-api-key: ***',
    '  accept: application/json',
  ])
})

test('the trace of a response contains content type, Retry-After, and request ID, but not the API key', async () => {
  expect((await traceOf(get, 1, answers(reply))).slice(3)).toEqual([
    '← 503, 4 bytes in 12 ms',
    '  content-type: text/html',
    '  retry-after: 2',
    '  x-request-id: of ***',
  ])
})

test('the trace reports an interrupted response and a failed connection', async () => {
  const cut = answers({ ...reply, headers: {}, cut: new Error('reset') })
  expect((await traceOf(get, 1, cut)).at(-1)).toBe('  interrupted: reset')
  const fail = async () => {
    throw new Error('refused')
  }
  expect((await traceOf(get, 1, fail)).at(-1)).toBe('✕ refused')
})

async function curlOf(request: WireRequest, ...attempts: number[]): Promise<string[]> {
  const lines: string[] = []
  const step = showCurl((line) => lines.push(line))
  for (const attempt of attempts) await step(callOf(request, attempt), empty)
  return lines
}

test('the trace contains one curl command for a retried request', async () => {
  expect(await curlOf(get, 1, 2)).toEqual([
    `curl --silent --show-error --request GET --header "x-api-key: $FACESCAN_API_KEY" --header 'accept: application/json' 'https://api.test/v2/users?external_user_id=4711'`,
  ])
})

test('the curl command in the trace contains a variable instead of the action token', async () => {
  const [line] = await curlOf({ ...get, headers: { authorization: 'Token t.t' } }, 1)
  expect(line).toContain('--header "authorization: Token $FACESCAN_ACTION_TOKEN"')
  expect(line).not.toContain('t.t')
})

/** Sends the request as a dry run. Returns the response or the planned request. Also returns the curl commands. */
async function dryRun(request: WireRequest, sendsReads: boolean) {
  const commands: string[] = []
  const call = callOf(request, 1)
  const effect = request.method === 'GET' ? ('read' as const) : ('change' as const)
  const step = stopDryRun({ sendsReads, curl: (command) => void commands.push(command) })
  const send = step({ ...call, endpoint: { ...call.endpoint, effect } }, empty)
  const result = await send.catch((error: unknown) => (error instanceof PlannedRequest ? error.plan : error))
  return { result, commands }
}

const planned = {
  method: 'POST',
  url: 'https://api.test/v2/users?external_user_id=4711',
  headers: { 'x-api-key': '***', accept: 'application/json' },
  body: { name: 'Zoë' },
}

test('a dry run returns a change without sending it, and prints a curl command without the key', async () => {
  const { result, commands } = await dryRun(post, true)
  expect(result).toEqual(planned)
  expect(commands).toEqual([expect.stringMatching(/^curl .*"x-api-key: \$FACESCAN_API_KEY"/)])
})

test('a dry run sends read-only requests if they are enabled, and otherwise prints a curl command', async () => {
  expect(await dryRun(get, true)).toMatchObject({ result: { status: 503 }, commands: [] })
  const { result, commands } = await dryRun(get, false)
  expect(result).toEqual({ ...planned, method: 'GET', body: null })
  expect(commands).toHaveLength(1)
})

test('a dry run without curl commands returns the planned request', async () => {
  const stop = stopDryRun({ sendsReads: false })(callOf(post, 1), empty)
  await expect(stop).rejects.toMatchObject({ plan: planned })
})
