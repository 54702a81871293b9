import { expect, it } from 'vitest'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { endpoints } from '../../src/contract/index.ts'
import { detail, errorStatuses, validationDetail } from '../../src/contract/openapi.ts'
import fc from '../helpers/fast-check.ts'
import { useSandbox } from './fixture.ts'

const runs = Number(process.env['FACESCAN_FUZZ_RUNS'] ?? 300)
const fixture = useSandbox()

// Characters and shapes that have broken parsers and databases before.
const text = fc.oneof(
  fc.constantFrom(
    '',
    'known',
    '0',
    '-1',
    '1e400',
    '2026-02-30',
    '\u0000',
    '\ud800',
    "';--",
    '%00',
    '../..',
    '__proto__',
  ),
  fc.string({ unit: 'binary' }),
  fc.uuid(),
)
const names = [
  'external_user_id',
  'user_id',
  'language',
  'count',
  'start',
  'page',
  'lookup_key',
  'value',
  'timezone',
  'data',
  'parameter',
]
const json = fc.letrec((self) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.double(),
    fc.constant(null),
    fc.boolean(),
    self('list'),
    self('object'),
  ),
  list: fc.array(self('value'), { maxLength: 3 }),
  object: fc.dictionary(fc.oneof(fc.constantFrom(...names), text), self('value'), { maxKeys: 4 }),
})).value

const request = fc.record({
  target: fc.constantFrom(...endpoints().map(([, endpoint]) => endpoint)),
  parameter: text,
  query: fc.dictionary(fc.constantFrom(...names), text, { maxKeys: 3 }),
  body: json,
  withToken: fc.boolean(),
})

type Input = typeof request extends fc.Arbitrary<infer Value> ? Value : never

async function send({ target, parameter, query, body, withToken }: Input, token: string) {
  const path = target.path.replace(/\{\w+\}/, encodeURIComponent(parameter.toWellFormed() || 'x'))
  const search = new URLSearchParams(query)
  const headers: Record<string, string> = { accept: 'application/json', 'content-type': 'application/json' }
  if (withToken) headers['authorization'] = `Token ${token}`
  else headers['x-api-key'] = fixture.sandbox.keys.development.key
  const hasBody = target.method === 'POST' || target.method === 'PUT'
  return fetch(`${fixture.sandbox.url}${path}?${search}`, {
    method: target.method,
    headers,
    ...(hasBody ? { body: JSON.stringify(body) ?? '' } : {}),
  })
}

/** The statuses in the OpenAPI document for an endpoint, without 5xx. In this test, a 5xx is always a bug. */
function documented(endpoint: Endpoint): number[] {
  return [...Object.keys(endpoint.replies).map(Number), ...errorStatuses(endpoint)].filter(
    (status) => status < 500,
  )
}

// spec 7:1-2, 7:4
it('the sandbox returns a documented status for random requests, and a valid body for each error', async () => {
  await fixture.call('POST', '/v2/users', { body: { external_user_id: 'known' } })
  const token = await fixture.tokenOf('known')
  await fc.assert(
    fc.asyncProperty(request, async (input) => {
      const reply = await send(input, token)
      expect(documented(input.target)).toContain(reply.status)
      if (reply.status < 400) return
      const schema = reply.status === 422 ? validationDetail : detail
      expect(schema.safeParse(await reply.json()).success).toBe(true)
    }),
    { numRuns: runs },
  )
})
