import type { LockOptions } from '../bulk/lock-holder.ts'
import type { Context } from './context.ts'

export function lockOptions({ clock, note, signal, flags }: Context): LockOptions {
  return { clock, note, signal, settleMs: flags.timeout }
}
