import type { LockOptions } from '../../src/bulk/lock-holder.ts'
import { hastyClock } from '../helpers/clock.ts'

/** Lock options with a fake clock, so that a test does not wait. `notes` receives the messages about the wait. */
export function lockOptions(notes: string[] = [], more: Partial<LockOptions> = {}): LockOptions {
  return { clock: hastyClock(), note: (text) => void notes.push(text), settleMs: 30_000, ...more }
}
