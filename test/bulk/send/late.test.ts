import { expect, test } from 'vitest'
import type { Clock } from '../../../src/base/clock.ts'
import { idleClock } from '../../helpers/clock.ts'
import { type RawRequest, reply, reset } from '../../helpers/hostile-server.ts'
import { seededRandom } from '../../helpers/seeded.ts'
import { batchesOf, confirmed, sendTo, userOf } from './fixture.ts'

const timeoutMs = 30_000
const users = 12
const rowsPerUser = 6
const rows = Array.from({ length: users * rowsPerUser }, (_, n) => `u${n % users} height ${n}`)

/** A service that saves the answers of a request immediately, never, or up to 30 s later on the test's clock. */
function lateService(clock: Clock, random: () => number) {
  const saved = new Map<string, { value: number; at: number }[]>()
  let late: { at: number; request: RawRequest }[] = []
  const save = (request: RawRequest, at: number) => {
    const items = [JSON.parse(request.body)].flat().map(({ value }) => ({ value, at }))
    saved.set(userOf(request), [...(saved.get(userOf(request)) ?? []), ...items])
  }
  const saveLate = () => {
    const due = late.filter(({ at }) => at <= clock.now()).sort((a, b) => a.at - b.at)
    late = late.filter((item) => !due.includes(item))
    for (const { at, request } of due) save(request, at)
  }
  const list = (request: RawRequest) => {
    // The times in this test are on the test's clock. They are converted to real time, because `sendTo` converts all times back.
    const aheadMs = clock.now() - Date.now()
    const items = (saved.get(userOf(request)) ?? []).map(({ value, at }) => ({
      question_lookup_key: 'height',
      answer: value,
      local_timestamp: new Date(at - aheadMs).toISOString(),
    }))
    return reply(200, { items, pagination: { next_page: null } })
  }
  const script = (request: RawRequest) => {
    saveLate()
    if (request.method === 'GET') return list(request)
    const chance = random()
    if (chance < 0.2) return reset()
    if (chance < 0.5) {
      late.push({ at: clock.now() + random() * (timeoutMs - 1_000), request })
      return reset()
    }
    save(request, clock.now())
    return confirmed(request)
  }
  return { script, saved }
}

/** Kills an import three times. Returns the values that the service saved for each user. */
async function importKilled(seed: number, settleMs: number): Promise<string[]> {
  const clock = idleClock()
  const service = lateService(clock, seededRandom(seed))
  const batches = batchesOf(rows, { batchSize: 2 })
  const options = { clock, timeoutMs: settleMs }
  let folder: string | undefined
  for (const killAt of [5, 9, 7, Number.POSITIVE_INFINITY]) {
    const sent = await sendTo(service.script, batches, { ...options, ...(folder && { folder }), killAt })
    folder = sent.folder
    if (killAt !== Number.POSITIVE_INFINITY) expect(sent.posts.length).toBeGreaterThanOrEqual(killAt)
  }
  return [...service.saved].map(([user, items]) => `${user}: ${items.map(({ value }) => value).join(' ')}`)
}

const complete = Array.from(
  { length: users },
  (_, n) => `u${n}: ${Array.from({ length: rowsPerUser }, (_, row) => n + row * users).join(' ')}`,
)

test.each([1, 2, 3, 4, 5])(
  'if the service saves requests within --timeout, a killed import loses no row and saves no row twice (seed %i)',
  async (seed) => {
    const saved = await importKilled(seed, timeoutMs)
    expect(saved.toSorted()).toEqual(complete.toSorted())
  },
)

test('if requests are saved 30 s late, an import that waits for only 5 s saves rows twice', async () => {
  // On a busy machine, the process can be killed before any row is saved twice. Therefore, several seeds are used.
  const counts: number[] = []
  for (const seed of [1, 2, 3, 4, 5, 6, 7, 8])
    counts.push((await importKilled(seed, 5_000)).join(' ').split(' ').length)
  expect(Math.max(...counts)).toBeGreaterThan(complete.join(' ').split(' ').length)
})
