import type { Clock } from '../../src/base/io.ts'

export interface FakeClock extends Clock {
  /** The duration of every sleep so far, in ms. */
  readonly sleeps: number[]
  /** Advances the time and ends the sleeps that are over by then, in order. */
  advance(ms: number): Promise<void>
}

/** A clock that only `advance` moves. */
export function fakeClock(start = 0): FakeClock {
  let time = start
  const sleepers: { at: number; wake(): void }[] = []
  const sleeps: number[] = []
  return {
    sleeps,
    now: () => time,
    monotonic: () => time,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        sleeps.push(ms)
        signal?.throwIfAborted()
        sleepers.push({ at: time + ms, wake: resolve })
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      }),
    async advance(ms) {
      const until = time + ms
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve))
        sleepers.sort((a, b) => a.at - b.at)
        const next = sleepers[0]
        if (next === undefined || next.at > until) break
        sleepers.shift()
        time = Math.max(time, next.at)
        next.wake()
      }
      time = until
      await new Promise((resolve) => setImmediate(resolve))
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

export const realClock: Clock = {
  now: Date.now,
  monotonic: Date.now,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const timer = setTimeout(resolve, ms)
      signal?.addEventListener('abort', () => {
        clearTimeout(timer)
        reject(signal.reason)
      })
    }),
}
