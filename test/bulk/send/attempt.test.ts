import { describe, expect, test } from 'vitest'
import { Pace } from '../../../src/bulk/pace/pace.ts'
import { type AttemptResult, type InTurn, inTurnOf } from '../../../src/bulk/send/attempt.ts'
import { hastyClock } from '../../helpers/clock.ts'
import { refusingUrl, reply, reset, type Script } from '../../helpers/hostile-server.ts'
import { connect, page, serve, user } from './answer-service.ts'

type Service = ReturnType<typeof connect>['service']

const canceled = { kind: 'canceled' } as const
const limited = reply(429, '', { 'Retry-After': '100' })

/** Prepares requests that read a user's answers: for an import if `runSaves` is true, otherwise for a verification. */
function turnsOf(service: Service, runSaves: boolean, maxConcurrency = 32) {
  const halt = new AbortController()
  const [clock, paceClock] = [hastyClock(1_000_000_000), hastyClock()]
  const pace = new Pace({
    clock: paceClock,
    random: () => 1,
    maxConcurrency,
    probe: () => service.probe(),
    maxWaitMs: 3_600_000,
    giveUp: (reason) => halt.abort(reason),
    signal: halt.signal,
  })
  const engine = { pace, halt: halt.signal }
  const options = { engine, clock, random: () => 0.5, patienceMs: 450, runSaves }
  const list = (note?: (outcome: AttemptResult) => void) => service.list(user, inTurnOf(options, note))
  return { inTurn: inTurnOf(options), pace, halt, clock, paceClock, list }
}

async function start(script: Script, runSaves = true, maxConcurrency?: number) {
  const { server, service } = await serve(script)
  return { server, service, ...turnsOf(service, runSaves, maxConcurrency) }
}

/** The responses to requests for a list of answers are `steps`, in order. The response to any other request is an empty list. */
const inOrder = (...steps: ReturnType<typeof reply>[]): Script => {
  const left = [...steps]
  return ({ target }) => (target.includes('answered') && left.shift()) || page([])
}
const failing: Script = ({ target }) => (target.includes('answered') ? reply(503) : page([]))

describe('a request for the answers of a user', () => {
  test('a failed request for answers is repeated with growing waits until the time limit', async () => {
    const { list, clock, server, pace } = await start(failing)
    const statuses: unknown[] = []
    expect(await list((outcome) => statuses.push('status' in outcome && outcome.status))).toBe('unavailable')
    expect(clock.sleeps).toEqual([150, 300, 600])
    expect(statuses).toEqual([503, 503, 503, 503])
    expect(server.requests).toHaveLength(4)
    expect(pace.inFlight).toBe(0)
  })

  test('waiting for Retry-After does not count toward the time limit for reading', async () => {
    const { list, clock } = await start(inOrder(limited, limited, limited))
    expect(await list()).toEqual({ usable: true, answers: [] })
    expect(clock.sleeps).toEqual([100_000, 100_000, 100_000])
  })

  test('a failed request for answers is not retried after the import stops', async () => {
    const { list, halt, server } = await start(failing)
    await expect(list(() => halt.abort(new Error('stopped')))).rejects.toThrow('stopped')
    expect(server.requests).toHaveLength(1)
  })

  test('if reading a user’s answers fails, the request no longer counts as active', async () => {
    const { service } = connect('http://127.0.0.1:9', AbortSignal.abort(new Error('stopped')))
    const { list, pace } = turnsOf(service, true)
    await expect(list()).rejects.toThrow('stopped')
    expect(pace.inFlight).toBe(0)
  })
})

describe.each([
  ['an import', true],
  ['a verification', false],
] as const)('reads of answers by %s', (run, runSaves) => {
  test.each([
    ['status 503', failing],
    [
      'a lost connection',
      ({ target }: { target: string }) => (target.includes('answered') ? reset() : page([])),
    ],
  ])(
    `reads by ${run} that fail with %s ${runSaves ? 'do not pause' : 'pause'} its other requests`,
    async (_, script) => {
      const { list, pace } = await start(script, runSaves)
      for (let n = 0; n < 6; n++) await list()
      expect(pace.isAway).toBe(!runSaves)
    },
  )

  test(`fast reads by ${run} ${runSaves ? 'do not increase' : 'increase'} the number of concurrent requests`, async () => {
    const { list, pace } = await start(() => page([]), runSaves)
    for (let n = 0; n < 10; n++) await Promise.all([list(), list(), list(), list()])
    expect(pace.limit > 4).toBe(!runSaves)
  })

  test(`ten consecutive 429 responses to read requests of ${run} delay all requests, but nine do not`, async () => {
    const nine = Array(9).fill(limited)
    const mixed = await start(inOrder(...nine, page([]), ...nine), runSaves)
    await mixed.list()
    await mixed.list()
    expect(mixed.paceClock.sleeps).toEqual([])
    const row = await start(inOrder(...nine, reply(503), limited), runSaves)
    await row.list()
    expect(row.pace.heldMs).toBe(100_000)
  })

  test(`a read request of ${run} starts ${runSaves ? 'before' : 'after'} a request that is already waiting`, async () => {
    const { service, inTurn, pace } = await start(() => page([]), runSaves, 1)
    const order: string[] = []
    await pace.enter(false)
    const saved = pace.enter(false).then(() => {
      order.push('save')
      pace.leave(false, canceled)
    })
    const ask: InTurn = (send) =>
      inTurn(() => {
        order.push('read')
        return send()
      })
    const listed = service.list(user, ask)
    pace.leave(false, canceled)
    await Promise.all([saved, listed])
    expect(order).toEqual(runSaves ? ['read', 'save'] : ['save', 'read'])
  })

  test(`a read request that ${run} retries starts before another request that was already waiting`, async () => {
    const { list, pace, server } = await start(inOrder(reply(503)), runSaves, 1)
    let readsBefore = 0
    const save = async () => {
      await pace.enter(false)
      readsBefore = server.requests.length
      pace.leave(false, canceled)
    }
    const saves: Promise<void>[] = []
    await list(() => {
      if (saves.length > 0) return
      void pace.enter(false)
      saves.push(save())
      setImmediate(() => pace.leave(false, canceled))
    })
    await Promise.all(saves)
    expect(readsBefore).toBe(2)
  })
})

test('a verification sends fewer concurrent reads if responses become slow', async () => {
  const { service } = await serve(() => page([]))
  const { inTurn, pace, clock, list } = turnsOf(service, false)
  const readAll = (length: number, read: () => Promise<unknown>) => Promise.all(Array.from({ length }, read))
  for (let n = 0; n < 10; n++) await readAll(8, () => list())
  const before = pace.limit
  await readAll(16, () =>
    service.list(user, (send) =>
      inTurn(async () => {
        await clock.sleep(5_000)
        return send()
      }),
    ),
  )
  expect(pace.limit).toBeLessThan(before)
})

test('an import does not stop if it cannot connect to the service to read answers', async () => {
  const { service } = connect(await refusingUrl())
  const { list, pace } = turnsOf(service, true)
  expect(await list()).toBe('unavailable')
  expect([pace.isAway, pace.inFlight]).toEqual([false, 0])
})
