import { expect, test } from 'vitest'
import type { Clock } from '../../../src/base/clock.ts'
import { type RawRequest, reply, reset } from '../../helpers/hostile-server.ts'
import { batchesOf, confirmed, hurriedClock, sendTo, unmoved, userOf } from './fixture.ts'

/**
 * A service that saves each answer with a time 20 s in the past. It resets the connection of the first request for the user `lost`. It
 * responds to requests for other users 40 s after it has listed the answers of `lost`.
 */
function service(clock: Clock) {
  const saved = new Map<string, object[]>()
  let open = () => {}
  const isOpen = new Promise<void>((done) => {
    open = done
  })
  const openLater = async () => {
    for (let n = 0; n < 200; n++) await clock.sleep(200)
    open()
  }
  return async (request: RawRequest) => {
    const user = userOf(request)
    const earlier = saved.get(user) ?? []
    if (user !== 'lost') await isOpen
    else if (request.method === 'GET' && earlier.length > 0) void openLater()
    if (request.method === 'GET') return reply(200, { items: earlier, pagination: { next_page: null } })
    const items = [JSON.parse(request.body)].flat().map(({ lookup_key, value }) => ({
      question_lookup_key: lookup_key,
      answer: value,
      local_timestamp: unmoved(clock.now() - 20_000),
    }))
    saved.set(user, [...earlier, ...items])
    return user === 'lost' ? reset() : confirmed(request)
  }
}

test('a lost row counts as accepted as soon as requests for other users have measured the clock of the service, even after 40 s', async () => {
  const clock = hurriedClock()
  const rows = ['lost height 1', ...Array.from({ length: 12 }, (_, n) => `u${n} height 1`)]
  const { totals, unknown, posts } = await sendTo(service(clock), batchesOf(rows), {
    clock,
    isMeasured: false,
    timeoutMs: 1000,
  })
  expect({ totals, unknown }).toEqual({ totals: [13, 0, 0, 0], unknown: [] })
  expect(posts.filter((post) => post.startsWith('lost'))).toHaveLength(1)
})

test('a lost row becomes unknown if the clock of the service cannot be measured with requests for other users', async () => {
  const clock = hurriedClock()
  const { totals, unknown } = await sendTo(service(clock), batchesOf(['lost height 1']), {
    clock,
    isMeasured: false,
  })
  expect(totals).toEqual([0, 0, 1, 0])
  expect(unknown[0]).toContain('the times of saved answers could not be compared with the service’s clock')
})

test('the reason why a row is unknown lists at most 20 attempts to read the answers from the service', async () => {
  const script = (request: RawRequest) => {
    if (request.method === 'POST') return reset()
    const page = Number(/page=(\d+)/.exec(request.target)?.[1] ?? 1)
    return page < 25 ? reply(200, { items: [], pagination: { next_page: page + 1 } }) : reply(405)
  }
  const { unknown } = await sendTo(script, batchesOf(['u height 1']))
  expect(unknown[0]?.match(/\b200\b/g)).toHaveLength(20)
})
