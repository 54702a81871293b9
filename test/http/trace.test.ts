import { expect, test } from 'vitest'
import { curlObserver, traceObserver } from '../../src/http/trace.ts'
import type { Observer, WireReply, WireRequest } from '../../src/http/wire.ts'

const post: WireRequest = {
  method: 'POST',
  origin: 'https://api.test',
  path: '/v2/users?external_user_id=4711',
  route: '/v2/users',
  headers: { 'x-api-key': 'k.1!k.1!', accept: 'application/json' },
  body: '{"name":"Zoë"}',
}
const { body: _, ...get } = { ...post, method: 'GET' as const }
const reply: WireReply = {
  status: 503,
  headers: { 'content-type': 'text/html', server: 'x', 'retry-after': '2', 'x-request-id': 'of k.1!k.1!' },
  body: Buffer.from('away'),
  durationMs: 12.4,
}

const first = { number: 1, startedAt: 0 }
const retry = { number: 2, startedAt: 0 }

function trace(tell: (observer: Observer) => void): string[] {
  const lines: string[] = []
  tell(traceObserver((line) => lines.push(line)))
  return lines
}

test('a request shows headers and body size without key, IDs and body', () => {
  expect(trace(({ request }) => request?.(post, first))).toEqual([
    '→ POST https://api.test/v2/users?external_user_id=***',
    '  x-api-key: ***',
    '  accept: application/json',
    '  body: 15 bytes',
  ])
})

test('only retries are numbered', () => {
  expect(trace(({ request }) => request?.(get, retry))).toEqual([
    '→ GET https://api.test/v2/users?external_user_id=*** (attempt 2)',
    '  x-api-key: ***',
    '  accept: application/json',
  ])
})

test('a reply shows useful headers without a repeated key', () => {
  expect(trace((observer) => observer.reply?.(post, reply, first))).toEqual([
    '← 503, 4 bytes in 12 ms',
    '  content-type: text/html',
    '  retry-after: 2',
    '  x-request-id: of ***',
  ])
})

test('interrupted replies, failures and waits are shown', () => {
  const lines = trace((observer) => {
    observer.reply?.(post, { ...reply, headers: {}, cut: new Error('reset') }, first)
    observer.failure?.(post, new Error('refused'), first)
    observer.wait?.(250.6, 'rate limited')
  })
  expect(lines.slice(1)).toEqual(['  interrupted: reset', '✕ refused', '… retrying in 251 ms: rate limited'])
})

test('a curl command is shown once for a retried request', () => {
  const lines: string[] = []
  const { request } = curlObserver((line) => lines.push(line))
  request?.(get, first)
  request?.(get, retry)
  expect(lines).toEqual([
    `curl --silent --show-error --request GET --header "x-api-key: $FACESCAN_API_KEY" --header 'accept: application/json' 'https://api.test/v2/users?external_user_id=4711'`,
  ])
})

test('a curl command with a token uses the variable for the token', () => {
  const lines: string[] = []
  curlObserver((line) => lines.push(line)).request?.(
    { ...get, headers: { authorization: 'Token t.t' } },
    first,
  )
  expect(lines[0]).toContain('--header "authorization: Token $FACESCAN_ACTION_TOKEN"')
  expect(lines[0]).not.toContain('t.t')
})
