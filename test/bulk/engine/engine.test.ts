import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { Engine, type EngineOptions, type Queue } from '../../../src/bulk/engine/engine.ts'
import { fakeClock } from '../../helpers/clock.ts'

type Items = [queue: string, item: string][]
type Options = EngineOptions<string, Queue<string>>

/** An engine whose items end when `end` or `fail` is called. Records the start of each item. */
function createEngine(items: Items, options: Partial<Options> = {}) {
  const queues = new Map<string, Queue<string>>()
  const active = new Map<string, { resolve(): void; reject(error: unknown): void }>()
  const started: string[] = []
  const drain = new AbortController()
  let read = 0
  async function* readItems() {
    for (const [name, item] of items) {
      read++
      const queue = queues.get(name) ?? { items: [] }
      queues.set(name, queue)
      yield { queue, item }
    }
  }
  const engine = new Engine<string, Queue<string>>({
    clock: fakeClock(),
    random: () => 1,
    maxConcurrency: 2,
    maxWaitMs: 1_000,
    queuesPerRequest: 1,
    drain: drain.signal,
    probe: async () => true,
    items: readItems(),
    process: (_, item) => {
      started.push(item)
      return new Promise<void>((resolve, reject) => active.set(item, { resolve, reject }))
    },
    ...options,
  })
  const act = async (settle: () => void) => {
    settle()
    await nextTurn()
  }
  return {
    engine,
    drain,
    started,
    read: () => read,
    end: (item: string) => act(() => active.get(item)?.resolve()),
    fail: (item: string, error: unknown) => act(() => active.get(item)?.reject(error)),
    run: async () => {
      const run = { end: undefined as unknown }
      const ended = engine.run().then((end) => {
        run.end = end
      })
      await nextTurn()
      return { run, ended }
    },
  }
}

/** Parses items such as `a1 a2 b1`. The letter is the queue of the item. */
const itemsOf = (text: string): Items => text.split(' ').map((item) => [item.slice(0, 1), item])

describe('the order of items in queues', () => {
  test('two queues run at the same time, and the items of each queue run one after the other', async () => {
    const { run, started, end } = createEngine(itemsOf('a1 b1 a2 b2'))
    const { run: state, ended } = await run()
    expect(started).toEqual(['a1', 'b1'])
    await end('b1')
    expect(started).toEqual(['a1', 'b1', 'b2'])
    await end('a1')
    expect(started).toEqual(['a1', 'b1', 'b2', 'a2'])
    await end('a2')
    expect(state.end).toBeUndefined()
    await end('b2')
    await ended
    expect(state.end).toEqual({ done: true })
  })

  test('an item whose function returns no promise counts as processed', async () => {
    const seen: string[] = []
    const { run } = createEngine(itemsOf('a1 a2 b1'), {
      process: (_, item) => {
        seen.push(item)
        return undefined
      },
    })
    const { run: state, ended } = await run()
    await ended
    expect([seen.toSorted(), state.end]).toEqual([['a1', 'a2', 'b1'], { done: true }])
  })

  test('a run that has no items ends with the result "done"', async () => {
    const { run } = createEngine([])
    const { run: state, ended } = await run()
    await ended
    expect(state.end).toEqual({ done: true })
  })

  test('if two concurrent requests and two queues per request are allowed, four queues run at the same time', async () => {
    const { run, started, end } = createEngine(itemsOf('a1 b1 c1 d1 e1'), { queuesPerRequest: 2 })
    await run()
    expect(started).toEqual(['a1', 'b1', 'c1', 'd1'])
    await end('c1')
    expect(started).toEqual(['a1', 'b1', 'c1', 'd1', 'e1'])
  })

  test('the engine stops reading after 100 items of one queue, and then reads one more item for each item that is finished', async () => {
    const items = Array.from({ length: 200 }, (_, n): [string, string] => ['a', `a${n}`])
    const { run, read, end } = createEngine(items)
    await run()
    expect(read()).toBe(100)
    await end('a0')
    expect(read()).toBe(101)
  })
})

describe('a queue that waits', () => {
  const never = () => new Promise<void>(() => undefined)

  test('while one queue waits, another queue starts, and the run ends when no queue waits any more', async () => {
    const started: string[] = []
    let endWait: () => void = () => undefined
    const waiting = new Promise<void>((resolve) => {
      endWait = resolve
    })
    const { run, engine } = createEngine(itemsOf('a1 b1 c1'), {
      maxConcurrency: 1,
      process: (_, item) => {
        started.push(item)
        return engine.releaseSlotWhile(() => waiting)
      },
    })
    expect(engine.isStalled).toBe(false)
    const { run: state, ended } = await run()
    expect([started, engine.waiting, engine.isStalled]).toEqual([['a1', 'b1', 'c1'], 3, true])
    endWait()
    await ended
    expect([state.end, engine.waiting]).toEqual([{ done: true }, 0])
  })

  test('the engine is not reported as stalled while one queue is active', async () => {
    const { run, engine } = createEngine(itemsOf('a1 b1'))
    void engine.releaseSlotWhile(never)
    await run()
    expect([engine.waiting, engine.isStalled]).toEqual([1, false])
  })

  test('the engine stops reading while 10,000 queues wait', async () => {
    const items = Array.from({ length: 10_100 }, (_, n): [string, string] => [`q${n}`, `i${n}`])
    const { run, engine, read } = createEngine(items, {
      process: () => engine.releaseSlotWhile(never),
    })
    await run()
    await expect.poll(read).toBe(10_000)
    await nextTurn()
    expect([read(), engine.isStalled]).toEqual([10_000, false])
  })

  test('after its wait failed, a queue does not count as waiting', async () => {
    const { engine } = createEngine([])
    const wait = engine.releaseSlotWhile(() => Promise.reject(new Error('refused')))
    await expect(wait).rejects.toThrow('refused')
    expect(engine.waiting).toBe(0)
  })
})

describe('the end of a run', () => {
  const broken = new Error('broken')

  test('after a failure, active items end, no other item starts, and the first failure is reported', async () => {
    const { run, started, end, fail, engine } = createEngine(itemsOf('a1 b1 a2 b2 c1'))
    const { run: state, ended } = await run()
    await fail('a1', broken)
    engine.stop(new Error('a later failure'))
    expect([engine.halt.reason, state.end]).toEqual([broken, undefined])
    await end('b1')
    await ended
    expect(started).toEqual(['a1', 'b1'])
    expect(state.end).toEqual({ done: false, error: broken })
  })

  test('the run ends if the input cannot be read', async () => {
    async function* brokenItems() {
      yield { queue: { items: [] }, item: 'a1' }
      throw broken
    }
    const { run, started } = createEngine([], {
      items: brokenItems(),
      process: async () => undefined,
    })
    const { run: state, ended } = await run()
    await ended
    expect([started, state.end]).toEqual([[], { done: false, error: broken }])
  })

  test('no item is started if Ctrl-C arrives before the run', async () => {
    const { run, drain, read } = createEngine(itemsOf('a1'))
    drain.abort(broken)
    const { run: state, ended } = await run()
    await ended
    expect([read(), state.end]).toEqual([0, { done: false, error: broken }])
  })

  test('after Ctrl-C, active items end and no other item starts', async () => {
    const { run, drain, started, end } = createEngine(itemsOf('a1 b1 a2 c1'))
    const { run: state, ended } = await run()
    drain.abort(broken)
    await nextTurn()
    expect(state.end).toBeUndefined()
    await end('a1')
    await end('b1')
    await ended
    expect([started, state.end]).toEqual([['a1', 'b1'], { done: false, error: broken }])
  })

  test('Ctrl-C after the run has no effect', async () => {
    const { run, drain, engine } = createEngine([])
    await (await run()).ended
    drain.abort(broken)
    expect(engine.halt.aborted).toBe(false)
  })

  test('a request that would start after the end of the run is refused', async () => {
    const { run, engine } = createEngine([])
    await (await run()).ended
    await expect(engine.pace.enter(false)).rejects.toThrow()
  })

  test('the run ends if the service requires a longer wait than allowed', async () => {
    const { run, engine } = createEngine(itemsOf('a1'), {
      process: async () => {
        await engine.pace.enter(false)
        engine.pace.leave(false, { kind: 'refused', latencyMs: 1, retryAfterMs: 1_001 })
      },
    })
    const { run: state, ended } = await run()
    await ended
    expect(state.end).toMatchObject({ done: false, error: { code: 'import_stopped' } })
  })
})
