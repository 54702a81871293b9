import { expect, test } from 'vitest'
import { idleClock } from '../../helpers/clock.ts'
import { type RawRequest, reply, reset } from '../../helpers/hostile-server.ts'
import { batchesOf, confirmed, idOf, listed, sendTo, userOf } from './fixture.ts'

/** A service whose external user IDs are not case-sensitive. `isLost` selects requests that are lost before their answers are saved. */
function foldingService(isLost: (user: string, posts: number) => boolean) {
  const saved: string[] = []
  let posts = 0
  const script = (request: RawRequest) => {
    const user = userOf(request).toLowerCase()
    const own = saved.filter((line) => line.startsWith(`${user} `))
    const toAnswer = (line: string) => ({
      lookup_key: line.split(' ')[1] ?? '',
      value: Number(line.split(' ')[2]),
    })
    if (request.target.startsWith('/v2/users')) return reply(200, { user_id: idOf(user) })
    if (request.method === 'GET') return listed(own.map(toAnswer))
    if (isLost(userOf(request), ++posts)) return reset()
    const items: { lookup_key: string; value: number }[] = [JSON.parse(request.body)].flat()
    for (const { lookup_key, value } of items) saved.push(`${user} ${lookup_key} ${value}`)
    return confirmed(request, {}, idOf(user))
  }
  return { script, saved }
}

const rows = Array.from({ length: 20 }, (_, n) => [`U${n} height 170`, `u${n} height 170`]).flat()
const reason = 'another external user ID in the file belongs to the same user'

test.each([
  ['the second ID', (user: string) => user.startsWith('u')],
  ['the first ID', (user: string) => user.startsWith('U')],
  ['every third row', (_: string, posts: number) => posts % 3 === 0],
])(
  'if users have two IDs and requests for %s are lost, every row that the import reports as accepted is saved',
  async (_, isLost) => {
    const lost = new Set<string>()
    const { script, saved } = foldingService((user, posts) => {
      if (lost.has(user) || !isLost(user, posts)) return false
      lost.add(user)
      return true
    })
    const { end, totals, unknown } = await sendTo(script, batchesOf(rows), { clock: idleClock() })
    expect(end).toEqual({ done: true })
    expect(totals[0]).toBeGreaterThanOrEqual(20)
    expect(totals[0]).toBeLessThanOrEqual(saved.length)
    expect(totals[0] + totals[2]).toBe(40)
    for (const line of unknown) expect(line).toContain(reason)
  },
)

test('the outcome of a row is unknown if the response contains the user ID of another row', async () => {
  const { script } = foldingService(() => false)
  const { totals, unknown } = await sendTo(script, batchesOf(['U1 height 170', 'u1 height 170']))
  expect(totals).toEqual([1, 0, 1, 0])
  expect(unknown[0]).toContain(reason)
})

test.each([403, 404, 200])(
  'a lost row whose answer is in the list is accepted if the user lookup returns %i without an ID',
  async (status) => {
    const script = (request: RawRequest) => {
      if (request.target.startsWith('/v2/users')) return reply(status, { detail: 'no' })
      return request.method === 'GET' ? listed([{ lookup_key: 'height', value: 1 }]) : reset()
    }
    const { totals } = await sendTo(script, batchesOf(['a height 1']))
    expect(totals).toEqual([1, 0, 0, 0])
  },
)
