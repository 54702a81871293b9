import { describe, expect, test } from 'vitest'
import { NetworkError } from '../../src/base/errors.ts'
import { isTransient } from '../../src/bulk/send/attempt.ts'
import { decide } from '../../src/bulk/send/outcomes.ts'
import { errorOf } from '../../src/http/error-response.ts'
import { type AttemptFacts, combine, factsOf, meaningOf } from '../../src/http/meaning.ts'
import { decideRetry } from '../../src/http/retry.ts'

const bodies = [undefined, 'incomplete', 'unconfirmed'] as const
const statuses = [
  100, 200, 201, 202, 204, 300, 301, 303, 400, 401, 403, 404, 408, 409, 413, 422, 425, 429, 500, 501, 502,
  503, 504, 599,
]

/** Every combination of facts about an attempt, with its name in the table. */
function rows(): [name: string, AttemptFacts][] {
  return [
    ['not sent', { isSent: false }],
    ['no status line', {}],
    ...statuses.flatMap((status) => {
      const isSuccess = status >= 200 && status < 300
      const kinds = isSuccess ? bodies.map((body) => ({ body })) : [{}]
      return kinds.map((kind): [string, AttemptFacts] => [
        [status, ...Object.values(kind).filter(Boolean)].join(', '),
        { status, ...kind },
      ])
    }),
    ['413, Retry-After', { status: 413, hasRetryAfter: true }],
    ['503, Retry-After', { status: 503, hasRetryAfter: true }],
  ]
}

function table(): string {
  return rows()
    .map(([name, facts]) => {
      const { applied, isTransient } = meaningOf(facts)
      return `${name.padEnd(20)} ${applied.padEnd(5)} ${isTransient ? 'transient' : ''}`.trimEnd()
    })
    .join('\n')
}

test('the outcome of a request states whether it was applied and whether a retry can succeed', () => {
  expect(table()).toMatchInlineSnapshot(`
    "not sent             no    transient
    no status line       maybe transient
    100                  maybe
    200                  yes
    200, incomplete      maybe transient
    200, unconfirmed     maybe
    201                  yes
    201, incomplete      maybe transient
    201, unconfirmed     maybe
    202                  maybe
    202, incomplete      maybe transient
    202, unconfirmed     maybe
    204                  yes
    204, incomplete      maybe transient
    204, unconfirmed     maybe
    300                  no
    301                  no
    303                  maybe
    400                  no
    401                  no
    403                  no
    404                  no
    408                  maybe transient
    409                  no
    413                  no
    422                  no
    425                  no    transient
    429                  no    transient
    500                  maybe transient
    501                  no
    502                  maybe transient
    503                  maybe transient
    504                  maybe transient
    599                  maybe transient
    413, Retry-After     no    transient
    503, Retry-After     maybe transient"
  `)
})

const request = { method: 'POST', origin: 'https://api.test', path: '/', route: '/', headers: {} } as const
const responseOf = (status: number) => ({ status, headers: {}, body: new Uint8Array(), durationMs: 1 })
const failures = statuses.filter((status) => status >= 400)

describe.each(failures)('after status %i', (status) => {
  const { applied, isTransient: isPassing } = meaningOf({ status })

  test('the client sends a request again only if it can succeed and cannot be applied twice', () => {
    const retries = (retryClass: 'read' | 'repeatable' | 'once') =>
      decideRetry(retryClass, 1, { status }, { retries: 3, maxWaitMs: 60_000 }, 0) !== undefined
    expect([retries('read'), retries('repeatable')]).toEqual([isPassing, isPassing])
    expect(retries('once')).toBe(isPassing && applied === 'no')
  })

  test('the error shows whether the request was applied and whether a retry can succeed', () => {
    expect(errorOf(request, responseOf(status), 0)?.details).toMatchObject({ applied, retryable: isPassing })
  })

  test('an import reads the saved answers if the status does not show whether the request was applied', () => {
    expect(decide(responseOf(status), 2, 0).do === 'reconcile').toBe(applied === 'maybe')
    expect(isTransient(responseOf(status))).toBe(isPassing)
  })
})

test('an import checks whether a request without a response was applied, and retries a request that was not sent', () => {
  expect(decide(new NetworkError('lost', false), 2, 0).do).toBe('reconcile')
  expect(decide(new NetworkError('refused', true), 2, 0).do).toBe('retry')
})

test.each([
  [{ 'retry-after': '7' }, 'valid'],
  [{ 'retry-after': 'soon' }, 'missing or invalid'],
  [{}, 'missing or invalid'],
])('if a response has the headers %j, its Retry-After counts as %s', (headers, kind) => {
  const hasRetryAfter = kind === 'valid'
  expect(factsOf({ ...responseOf(413), headers })).toMatchObject({ status: 413, hasRetryAfter })
})

test.each([
  [[undefined], undefined],
  [['no', undefined], 'no'],
  [['yes'], 'yes'],
  [['maybe', undefined], 'maybe'],
  [['maybe', 'no'], 'maybe'],
  [['no', 'maybe'], 'maybe'],
  [['maybe', 'yes'], 'yes'],
  [['no', 'yes'], 'yes'],
] as const)(
  'if the outcomes of the attempts are %j (null: no attempt), the outcome of the change is "%s"',
  (attempts, expected) => {
    expect(attempts.reduce(combine, undefined)).toBe(expected)
  },
)
