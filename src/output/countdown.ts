import type { Clock, Output } from '../io.ts'
import type { Pen } from './view.ts'

export interface Countdown {
  wait(delayMs: number, reason: string): void
  resume(): void
}

/** A shorter wait is over before it is read. */
const shortestMs = 1_000
const clearLine = '\r\x1b[2K'

/** Tells how long a wait still takes: seconds that count down on a terminal, one line through `note` elsewhere. */
export function createCountdown(
  { stderr, pen, clock }: { stderr: Output; pen: Pen; clock: Clock },
  note: (text: string) => void,
): Countdown {
  let counting: AbortController | undefined
  const count = async (until: number, reason: string, signal: AbortSignal) => {
    for (let leftMs = until - clock.now(); leftMs > 0 && !signal.aborted; leftMs = until - clock.now()) {
      const text = `${reason}: trying again in ${Math.ceil(leftMs / 1_000)} s (Ctrl-C gives up)`
      stderr.write(clearLine + pen.dim(text.slice(0, pen.width - 1)))
      await clock.sleep(Math.min(leftMs, 1_000), signal).catch(() => undefined)
    }
  }
  return {
    wait(delayMs, reason) {
      if (delayMs < shortestMs) return
      if (!pen.pictures) return note(`${reason}: trying again in ${Math.ceil(delayMs / 1_000)} s`)
      counting = new AbortController()
      void count(clock.now() + delayMs, reason, counting.signal)
    },
    resume() {
      if (counting === undefined) return
      counting.abort()
      counting = undefined
      stderr.write(clearLine)
    },
  }
}
