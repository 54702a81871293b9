import type { Clock } from '../../base/io.ts'
import { confusableMs } from '../send/service-clock.ts'
import type { UserRef } from '../types.ts'
import type { WriterRegister } from './register.ts'

type Others = Pick<WriterRegister, 'others'>

/** How long to wait until requests of ended commands cannot be confused with new requests, in ms. */
export async function quietAfterMs(register: Others, clock: Clock): Promise<number> {
  const ended = (await register.others()).map(({ activeUntil }) => activeUntil).filter(Number.isFinite)
  return Math.max(0, ...ended.map((activeUntil) => activeUntil + confusableMs - clock.now()))
}

/** Which other command may have saved an answer of the user. `sinceMs` is the age of the request. */
export async function findRival(
  register: Others,
  clock: Clock,
  user: UserRef,
  sinceMs: number,
): Promise<string | undefined> {
  const earliest = clock.now() - sinceMs - confusableMs
  const others = await register.others()
  const rival = others.find(({ activeUntil, users }) => activeUntil >= earliest && users.has(user))
  return rival && `${rival.id} may have saved the same answer for the same user at the same time`
}
