import type { Clock, Output } from '../base/io.ts'
import { createProgress } from './progress.ts'
import type { Pen } from './view.ts'

export interface Countdown {
  wait(delayMs: number, reason: string): void
  resume(): void
}

/** A person cannot read the text of a shorter wait. */
const shortestMs = 1_000

/** Shows the remaining time of a wait: a countdown on a terminal, and one line through `note` elsewhere. */
export function createCountdown(
  { stderr, pen, clock }: { stderr: Output; pen: Pen; clock: Clock },
  note: (text: string) => void,
): Countdown {
  const progress = createProgress(stderr, pen)
  let counting: AbortController | undefined
  const count = async (until: number, reason: string, signal: AbortSignal) => {
    for (
      let leftMs = until - clock.monotonic();
      leftMs > 0 && !signal.aborted;
      leftMs = until - clock.monotonic()
    ) {
      progress.show(`${reason}: retrying in ${Math.ceil(leftMs / 1_000)} s (Ctrl-C to stop)`)
      await clock.sleep(Math.min(leftMs, 1_000), signal).catch(() => undefined)
    }
  }
  return {
    wait(delayMs, reason) {
      if (delayMs < shortestMs) return
      if (!pen.pictures) return note(`${reason}: retrying in ${Math.ceil(delayMs / 1_000)} s`)
      counting = new AbortController()
      void count(clock.monotonic() + delayMs, reason, counting.signal)
    },
    resume() {
      counting?.abort()
      progress.clear()
    },
  }
}
