import type { Clock } from '../base/io.ts'
import type { WireReply } from './wire.ts'

/** Limits the pace of many requests. Each `enter` that resolves is followed by one `leave`. */
export interface Gate {
  enter(isRetry: boolean): Promise<void>
  /** `reply` is undefined if no reply came. */
  leave(isRetry: boolean, reply: WireReply | undefined, latencyMs: number): void
}

export async function paced(
  { gate, clock }: { gate?: Gate | undefined; clock: Clock },
  isRetry: boolean,
  send: () => Promise<WireReply>,
): Promise<WireReply> {
  if (!gate) return send()
  await gate.enter(isRetry)
  const startedAt = clock.monotonic()
  let reply: WireReply | undefined
  try {
    reply = await send()
    return reply
  } finally {
    gate.leave(isRetry, reply, clock.monotonic() - startedAt)
  }
}
