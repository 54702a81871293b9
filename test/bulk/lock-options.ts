import type { LockOptions } from '../../src/bulk/lock-holder.ts'
import { hastyClock } from '../helpers/clock.ts'

/** A wait for a lock takes no time. `notes` receives its messages. */
export function lockOptions(notes: string[] = [], more: Partial<LockOptions> = {}): LockOptions {
  return { clock: hastyClock(), note: (text) => void notes.push(text), settleMs: 30_000, ...more }
}
