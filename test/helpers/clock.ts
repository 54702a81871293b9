import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { type Clock, clock as realClock } from '../../src/base/clock.ts'

export { realClock }

/** The real clock, set forward by `ms`. With this clock, an import does not wait for the last requests of an earlier import. */
export function clockIn(ms: number): Clock {
  return { ...realClock, now: () => realClock.now() + ms }
}

/**
 * The real clock, except for `--max-time 1h`: this limit expires after other parts of the program, such as `--rate`, have slept `count`
 * times. A short `--max-time` could expire before a busy machine has started the command.
 */
export function clockThatEnds(count = 1): Clock {
  let end: () => void = () => undefined
  let others = 0
  const limit = new Promise<void>((resolve) => {
    end = resolve
  })
  return {
    ...realClock,
    sleep(ms, signal) {
      if (ms === 3_600_000) return limit
      if (++others === count) end()
      return realClock.sleep(ms, signal)
    },
  }
}

export interface FakeClock extends Clock {
  /** The duration of every sleep so far, in ms. */
  readonly sleeps: number[]
  /** Advances the time. Ends the sleeps whose time has passed, in order. */
  advance(ms: number): Promise<void>
}

/** The active sleeps of a fake clock. */
class Sleepers {
  readonly #all = new Set<{ at: number; wake(): void }>()
  readonly durations: number[] = []

  get size(): number {
    return this.#all.size
  }

  add(now: number, ms: number, signal?: AbortSignal): Promise<void> {
    const at = now + ms
    this.durations.push(ms)
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const end = (settle: () => void) => () => {
        this.#all.delete(sleeper)
        // The listener is removed, because Node prints a warning if a signal has more than ten listeners.
        signal?.removeEventListener('abort', abort)
        settle()
      }
      const abort = end(() => reject(signal?.reason))
      const sleeper = { at, wake: end(resolve) }
      this.#all.add(sleeper)
      signal?.addEventListener('abort', abort)
    })
  }

  first(): { at: number; wake(): void } | undefined {
    return [...this.#all].sort((a, b) => a.at - b.at)[0]
  }
}

/** A clock whose time changes only when `advance` is called. */
export function fakeClock(start = 0): FakeClock {
  const sleepers = new Sleepers()
  let time = start
  return {
    sleeps: sleepers.durations,
    now: () => time,
    monotonic: () => time,
    sleep: (ms, signal) => sleepers.add(time, ms, signal),
    async advance(ms) {
      const until = time + ms
      for (;;) {
        await nextTurn()
        const next = sleepers.first()
        if (next === undefined || next.at > until) break
        time = Math.max(time, next.at)
        next.wake()
      }
      time = until
      await nextTurn()
    },
  }
}

/** A clock on which every sleep advances the time and returns immediately. */
export function hastyClock(start = 0): Clock & { readonly sleeps: number[] } {
  let time = start
  const sleeps: number[] = []
  return {
    sleeps,
    now: () => time,
    monotonic: () => time,
    async sleep(ms, signal) {
      sleeps.push(ms)
      signal?.throwIfAborted()
      time += ms
    },
  }
}

/** Returns a set of the HTTP requests that have neither a complete response nor an error yet. The set is updated until the test ends. */
function watchRequests(): ReadonlySet<unknown> {
  const open = new Set<unknown>()
  const listeners = {
    create: (message: unknown) => void open.add((message as { request: unknown }).request),
    trailers: (message: unknown) => void open.delete((message as { request: unknown }).request),
    error: (message: unknown) => void open.delete((message as { request: unknown }).request),
  }
  for (const [name, listener] of Object.entries(listeners)) {
    subscribe(`undici:request:${name}`, listener)
    onTestFinished(() => void unsubscribe(`undici:request:${name}`, listener))
  }
  return open
}

/** After this number of event loop iterations without an active request or file operation, the process is only waiting for a timer. */
const idleTurns = 10

/**
 * Whether a file operation is active. On a busy machine, writing the journal takes many iterations of the event loop. During this time, the
 * program is not idle.
 */
const usesFiles = () => process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))

/**
 * A fake clock for real requests. Its time stands still while a request or a file operation is active, so no response is late. Otherwise,
 * the time advances to the end of the next sleep.
 */
export function idleClock(start = Date.now()): Clock & { readonly sleeps: number[] } {
  const requests = watchRequests()
  const sleepers = new Sleepers()
  let time = start
  let isRunning = false
  const isBusy = () => requests.size > 0 || usesFiles()
  const awaitIdle = async () => {
    for (let turns = 0; turns < idleTurns; turns = isBusy() ? 0 : turns + 1) await nextTurn()
  }
  const wakeInOrder = async () => {
    isRunning = true
    while (sleepers.size > 0) {
      await awaitIdle()
      const next = sleepers.first()
      time = Math.max(time, next?.at ?? time)
      next?.wake()
    }
    isRunning = false
  }
  return {
    sleeps: sleepers.durations,
    now: () => time,
    monotonic: () => time,
    sleep(ms, signal) {
      const sleeping = sleepers.add(time, ms, signal)
      if (!isRunning) void wakeInOrder()
      return sleeping
    },
  }
}
