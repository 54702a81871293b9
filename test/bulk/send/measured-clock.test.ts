import { describe, expect, test } from 'vitest'
import { idleClock, realClock } from '../../helpers/clock.ts'
import { type RawRequest, reply, reset, wait } from '../../helpers/hostile-server.ts'
import { seededRandom } from '../../helpers/seeded.ts'
import { batchesOf, confirmed, listed, sendTo, userOf } from './fixture.ts'

const users = 200
const usual = Array.from({ length: users * 3 }, (_, n) => `u${n % users} key${n % 3} ${n % 5}`)

/** Returns the time that the service shows for an answer saved at `ms`, after `posts` requests. */
type TimeOf = (ms: number, posts: number) => number

/** A service that assigns times with `timeOf`. It resets the connection of 30% of the requests, and saves half of these requests first. */
function lossyService(timeOf: TimeOf, { seed = 1, listedAfterMs = (_: number): number => 0 } = {}) {
  const clock = idleClock()
  const random = seededRandom(seed)
  const stored = new Map<string, { lookup_key: string; value: number; at: number; posts: number }[]>()
  let posts = 0
  const list = (request: RawRequest) => {
    const visible = (stored.get(userOf(request)) ?? []).filter(
      (saved) => clock.now() - saved.at >= listedAfterMs(saved.posts),
    )
    const items = visible.map(({ lookup_key, value, at, posts }) => ({
      question_lookup_key: lookup_key,
      answer: value,
      // `sendTo` adjusts times in UTC to the test's clock. This time already is on the test's clock, so it has the offset +01:00.
      local_timestamp: new Date(timeOf(at, posts) + 3_600_000).toISOString().replace('Z', '+01:00'),
    }))
    return reply(200, { items, pagination: { next_page: null } })
  }
  const script = (request: RawRequest) => {
    if (request.method === 'GET') return list(request)
    const chance = random()
    posts++
    if (chance < 0.15) return reset()
    const items = [JSON.parse(request.body)].flat().map((answer) => ({ ...answer, at: clock.now(), posts }))
    stored.set(userOf(request), [...(stored.get(userOf(request)) ?? []), ...items])
    return chance < 0.3 ? reset() : confirmed(request)
  }
  return { script, clock, stored }
}

/** Imports the rows. Counts the answers that the service saved more than once, and the accepted answers that it did not save. */
async function importLossy(
  timeOf: TimeOf,
  listedAfterMs?: (posts: number) => number,
  seed = 1,
  rows: readonly string[] = usual,
) {
  const { script, clock, stored } = lossyService(timeOf, { ...(listedAfterMs && { listedAfterMs }), seed })
  const { totals, unknown, end } = await sendTo(
    script,
    batchesOf(rows, rows === usual ? {} : { batchSize: 1 }),
    {
      clock,
      isMeasured: false,
    },
  )
  expect(end).toEqual({ done: true })
  const saved = [...stored].flatMap(([user, items]) =>
    items.map(({ lookup_key, value }) => `${user} ${lookup_key} ${value}`),
  )
  const isUnknown = new Set(unknown.map((line) => rows[Number(line.split(' ')[0]) - 2]))
  const lost = rows.filter((row) => !saved.includes(row) && !isUnknown.has(row)).length
  return { lost, repeated: saved.length - new Set(saved).size, unknown: totals[2], accepted: totals[0] }
}

describe('an import of 600 rows in which 30% of the responses are lost', () => {
  test.each([
    ['exact', (ms: number) => ms],
    ['in whole seconds', (ms: number) => Math.floor(ms / 1_000) * 1_000],
    ['3 s behind the Date header', (ms: number) => ms - 3_000],
    ['4 s ahead of the Date header', (ms: number) => ms + 4_000],
    ['rounded to 10 s', (ms: number) => Math.floor(ms / 10_000) * 10_000],
    ['rounded to a minute', (ms: number) => Math.floor(ms / 60_000) * 60_000],
    ['rounded up to a minute', (ms: number) => Math.ceil(ms / 60_000) * 60_000],
  ])('no row is lost or saved twice if the times in the list of answers are %s', async (_, timeOf) => {
    const { lost, repeated, unknown } = await importLossy(timeOf)
    expect({ lost, repeated }).toEqual({ lost: 0, repeated: 0 })
    expect(unknown).toBeLessThan(20)
  })

  test('rows become unknown if the times in the list of answers are in another time zone', async () => {
    const { lost, repeated, unknown } = await importLossy((ms) => ms - 3_600_000)
    expect({ lost, repeated }).toEqual({ lost: 0, repeated: 0 })
    expect(unknown).toBeGreaterThan(20)
  })

  test('no row is saved twice if the service lists saved answers late', async () => {
    const { lost, repeated, unknown } = await importLossy(
      (ms) => ms,
      () => 3_600_000,
    )
    expect({ lost, repeated }).toEqual({ lost: 0, repeated: 0 })
    expect(unknown).toBeGreaterThan(20)
  })

  test.each([1, 2, 3, 4, 5])(
    'no row is saved twice if the times of answers are 20 s behind after a third of an import (seed %i)',
    async (seed) => {
      const { lost, repeated } = await importLossy(
        (ms, posts) => ms - (posts > 80 ? 20_000 : 0),
        undefined,
        seed,
      )
      expect({ lost, repeated }).toEqual({ lost: 0, repeated: 0 })
    },
  )

  test.each([1, 2, 3, 4, 5])(
    'no row is saved twice if the service starts to list answers late after a third of an import (seed %i)',
    async (seed) => {
      const { lost, repeated } = await importLossy(
        (ms) => ms,
        (posts) => (posts > 80 ? 3_600_000 : 0),
        seed,
      )
      expect({ lost, repeated }).toEqual({ lost: 0, repeated: 0 })
    },
  )

  test.each([1, 2, 3, 4, 5])(
    'no row is saved twice if the service lists the answers of every seventh request late (seed %i)',
    async (seed) => {
      const { lost, repeated } = await importLossy(
        (ms) => ms,
        (posts) => (posts % 7 === 6 ? 3_600_000 : 0),
        seed,
      )
      expect({ lost, repeated }).toEqual({ lost: 0, repeated: 0 })
    },
  )

  test('no row is saved twice if users have several answers to one question and the service lists answers late', async () => {
    const rows = Array.from({ length: users * 3 }, (_, n) => `u${n % users} weight ${n}`)
    const late = (posts: number) => (posts % 7 === 6 ? 3_600_000 : 0)
    const { lost, repeated } = await importLossy((ms) => ms, late, 1, rows)
    expect({ lost, repeated }).toEqual({ lost: 0, repeated: 0 })
  })

  test('even if the clock is not measured, a lost row is sent again when its answer is not in the list', async () => {
    const { script, clock } = lossyService((ms) => ms)
    let posts = 0
    const losing = (request: RawRequest) =>
      request.method === 'POST' && ++posts === 1 ? reset() : script(request)
    const sent = await sendTo(losing, batchesOf(['u height 1']), { clock, isMeasured: false })
    expect(sent.totals).toEqual([1, 0, 0, 0])
    expect(sent.posts.length).toBe(2)
  })
})

test('a lost request is not sent again if an answer that a later request saved is also missing from the list', async () => {
  const saved = new Map<string, { lookup_key: string; value: number }[]>()
  const { posts, unknown } = await sendTo(
    (request) => {
      const user = userOf(request)
      if (request.method === 'GET') return listed(['u0', 'u16'].includes(user) ? [] : (saved.get(user) ?? []))
      saved.set(user, [JSON.parse(request.body)])
      return user === 'u0' ? reset() : [wait(20), confirmed(request)]
    },
    batchesOf(Array.from({ length: 60 }, (_, n) => `u${n} height 1`)),
    { clock: { ...realClock, sleeps: [] }, timeoutMs: 100, maxConcurrency: 1 },
  )
  expect(posts.filter((post) => post.startsWith('u0:')).length).toBe(1)
  expect(unknown[0]).toContain('new answers appear late')
})

test('a resumed import checks the requests of the first run with the clock that the first run measured', async () => {
  const { script, clock } = lossyService((ms) => ms - 3_000)
  const first = await sendTo(script, batchesOf(usual), { clock, isMeasured: false, killAt: 60 })
  const second = await sendTo(script, batchesOf(usual), { clock, isMeasured: false, folder: first.folder })
  expect(second.totals[0] + second.totals[2]).toBe(600)
  expect(second.totals[2]).toBeLessThan(10)
})

test('a lost answer is not sent again if the list contains a newer answer to the same question', async () => {
  let posts = 0
  const {
    totals,
    posts: sent,
    unknown,
  } = await sendTo(
    (request) => {
      if (request.method === 'POST') return posts++ === 0 ? reset() : confirmed(request)
      const local_timestamp = new Date().toISOString()
      const items = [{ question_lookup_key: 'height', answer: 9, local_timestamp }]
      return reply(200, { items, pagination: { next_page: null } })
    },
    batchesOf(['u height 1', 'u weight 2']),
  )
  expect(totals).toEqual([1, 0, 1, 0])
  expect(sent).toEqual(['u: height=1 weight=2', 'u: weight=2'])
  expect(unknown[0]).toContain('2 height superseded: ')
})
