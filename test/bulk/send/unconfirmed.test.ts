import { describe, expect, test } from 'vitest'
import { FacescanError } from '../../../src/base/errors.ts'
import { cutReply, type RawRequest, reply, reset, type Script } from '../../helpers/hostile-server.ts'
import { batchesOf, confirmed, idOf, listed, obedient, sendTo } from './fixture.ts'

const three = batchesOf(['u height 1', 'u weight 2', 'u age 3'])
const isPost = ({ method }: RawRequest) => method === 'POST'
const user_id = '5151d12e-2f9a-4d7a-962f-fd85d23bd68b'
const answers = [
  { lookup_key: 'height', value: 1, user_id },
  { lookup_key: 'weight', value: 2, user_id },
  { lookup_key: 'age', value: 3, user_id },
]
const [height, weight, age] = answers

describe('a response that contains the saved answers', () => {
  test.each([
    ['in another order', [age, height, weight]],
    ['with more fields', answers.map((answer) => ({ ...answer, timezone: 'UTC' }))],
    ['with numbers as text', answers.map((answer) => ({ ...answer, value: `${answer.value}.0` }))],
    [
      'with the ID in two notations',
      [
        { ...height, user_id: user_id.toUpperCase() },
        weight,
        { ...age, user_id: user_id.replaceAll('-', '') },
      ],
    ],
  ])('a response is accepted if it contains the sent answers %s', async (_, body) => {
    const { totals, server } = await sendTo(() => reply(200, body), three)
    expect(totals).toEqual([3, 0, 0, 0])
    expect(server.requests.length).toBe(1)
  })

  test('a response is accepted if it contains the sent value 70 as 70.0', async () => {
    const body = '{"lookup_key":"height","value":70.0,"user_id":"7"}'
    const { totals, server } = await sendTo(() => reply(201, body), batchesOf(['u height 70']))
    expect(totals).toEqual([1, 0, 0, 0])
    expect(server.requests.length).toBe(1)
  })
})

const unconfirmed: Record<string, () => ReturnType<Script>> = {
  'a web page': () => reply(200, '<html>Welcome</html>', { 'content-type': 'text/html' }),
  'status 202 and all answers': () => reply(202, answers),
  'no content': () => reply(204),
  'an empty list': () => reply(201, []),
  'a part of the answers': () => reply(201, [height, weight]),
  'a repeated answer': () => reply(201, [height, weight, weight]),
  'another value': () => reply(201, [height, weight, { ...age, value: 4 }]),
  'another question': () => reply(201, [height, weight, { ...age, lookup_key: 'smoking' }]),
  'a value that is not a number': () => reply(201, [height, weight, { ...age, value: null }]),
  'an answer without a user ID': () => reply(201, [height, weight, { ...age, user_id: undefined }]),
  'two user IDs': () => reply(201, [height, weight, { ...age, user_id: 'b' }]),
  'an object': () => reply(201, { items: answers }),
  'an incomplete body': () => [cutReply(201, JSON.stringify(answers), 40), reset()],
}

/** Responds to the first POST with `first`, and confirms later POSTs. A GET returns the answers in `stored`. */
const once = (first: () => ReturnType<Script>, stored: readonly { lookup_key: string; value: number }[]) => {
  let posts = 0
  return (request: RawRequest) => {
    if (request.method === 'GET') return listed(stored)
    return posts++ === 0 ? first() : confirmed(request)
  }
}

describe.each(Object.entries(unconfirmed))('a 2xx response with %s', (_, first) => {
  test('even if a 2xx response does not confirm the answers, rows are accepted when the list contains their answers', async () => {
    const { totals, posts } = await sendTo(once(first, answers), three)
    expect(totals).toEqual([3, 0, 0, 0])
    expect(posts.length).toBe(1)
  })

  test('if neither a 2xx response nor the list of saved answers confirms the answers, rows become unknown', async () => {
    const { totals, posts, unknown } = await sendTo(once(first, [answers[1] as never]), three, {
      onAmbiguous: 'resend',
    })
    expect(totals).toEqual([1, 0, 2, 0])
    expect(posts.length).toBe(1)
    expect(unknown[0]).toMatch(/^2 height unconfirmed: sent, but the outcome is unknown: the /)
  })
})

describe('the user ID in a response', () => {
  const rows = ['a height 1', 'a weight 2', 'b height 3', 'c height 4']

  test('rows become unknown if two responses for the same user contain different user IDs', async () => {
    let posts = 0
    const script = obedient((request) =>
      isPost(request) && ++posts === 2 ? confirmed(request, {}, 'another') : undefined,
    )
    const { totals } = await sendTo(script, batchesOf(rows.slice(0, 2), { batchSize: 1 }))
    expect(totals).toEqual([1, 0, 1, 0])
  })

  test('rows become unknown if the response contains the ID of another user', async () => {
    const script = obedient((request) =>
      isPost(request) && request.target.endsWith('=b') ? confirmed(request, {}, idOf('a')) : undefined,
    )
    const { totals } = await sendTo(script, batchesOf(rows, { batchSize: 1 }), { maxConcurrency: 1 })
    expect(totals).toEqual([3, 0, 1, 0])
  })

  test('rows become unknown if the user ID in the response differs from the user ID in the file', async () => {
    const batches = batchesOf([`${user_id.toUpperCase()} height 1`], { kind: 'user_id' })
    const right = await sendTo((request) => confirmed(request, {}, user_id), batches)
    expect(right.totals).toEqual([1, 0, 0, 0])
    const wrong = await sendTo((request) => confirmed(request, {}, 'another'), batches)
    expect(wrong.totals).toEqual([0, 0, 1, 0])
  })

  test('if a file contains user IDs and external user IDs, several responses with the same user ID are accepted', async () => {
    const script = obedient((request) => (isPost(request) ? confirmed(request, {}, 'same') : undefined))
    const { totals } = await sendTo(script, batchesOf(rows), { hasBothIds: true })
    expect(totals).toEqual([4, 0, 0, 0])
  })
})

test('two identical rows become unknown if the first has status 202 and the response to the second is lost, even if the list contains one answer', async () => {
  let posts = 0
  const script = obedient((request, save) => {
    if (!isPost(request)) return undefined
    if (++posts === 1) return reply(202)
    // The service saves the answer of the first request now. The second request is lost.
    if (posts === 2) save()
    return posts === 2 ? reset() : undefined
  })
  const { totals } = await sendTo(script, batchesOf(['u height 1', 'u height 1'], { batchSize: 1 }))
  expect(totals).toEqual([0, 0, 2, 0])
})

describe('an import whose first responses do not contain the sent answers', () => {
  const rows = Array.from({ length: 60 }, (_, n) => `u${n} height ${n}`)
  const object = { status: 'ok', result: [{ saved: true, '4711': 1 }] }

  test('if the first responses do not contain the sent answers, an import stops, and its error contains no values', async () => {
    const { end, posts, totals } = await sendTo(
      obedient((request) => (isPost(request) ? reply(200, object) : undefined)),
      batchesOf(rows),
    )
    expect(end).toMatchObject({
      done: false,
      error: {
        code: 'import_stopped',
        exitCode: 11,
        details: {
          hint: expect.arrayContaining([
            expect.stringContaining('{status: string, result: list of {…: number, saved: boolean}}'),
          ]),
        },
      },
    })
    expect(posts.length).toBeLessThan(60)
    expect(totals).toEqual([0, 0, posts.length - totals[3], totals[3]])
  })

  test('a resumed import does not resend rows if the response did not contain the sent answers', async () => {
    const first = await sendTo(
      obedient((request) => (isPost(request) ? reply(204) : undefined)),
      batchesOf(rows),
    )
    const second = await sendTo(
      obedient(() => undefined),
      batchesOf(rows),
      { folder: first.folder },
    )
    expect(String((first.end as { error?: unknown }).error)).toContain('the response has no body')
    expect(second.end).toEqual({ done: true })
    expect(second.totals).toEqual([60 - first.posts.length, 0, first.posts.length, 0])
    expect(second.posts.filter((post) => first.posts.includes(post))).toEqual([])
  })

  test('an import continues after responses that omit the sent answers, if an earlier response contained the sent answers', async () => {
    let posts = 0
    const script = obedient((request) => (isPost(request) && ++posts !== 19 ? reply(200, object) : undefined))
    const { end, totals } = await sendTo(script, batchesOf(rows))
    expect(end).toEqual({ done: true })
    expect(totals).toEqual([1, 0, 59, 0])
  })
})

test('a resumed import does not resend a row after status 202', async () => {
  const drain = new AbortController()
  const script = obedient((request) => {
    if (request.method === 'GET') drain.abort(new FacescanError('terminated', 'terminated'))
    return isPost(request) ? reply(202) : reply(503)
  })
  const first = await sendTo(script, three, { drain: drain.signal })
  expect(first.totals).toEqual([0, 0, 0, 3])
  const second = await sendTo(
    obedient(() => undefined),
    three,
    { folder: first.folder },
  )
  expect(second.totals).toEqual([0, 0, 3, 0])
  expect(second.posts).toEqual([])
})
