import type { Clock } from '../../base/io.ts'
import { confusableMs } from '../send/service-clock.ts'
import type { UserRef } from '../types.ts'
import type { OtherWriter, Writer, WriterRegister } from './register.ts'

interface RivalsOptions {
  register: WriterRegister
  self: Writer
  clock: Clock
}

/** Other commands on this machine that save answers of the same users. */
export class Rivals {
  readonly #options: RivalsOptions

  constructor(options: RivalsOptions) {
    this.#options = options
  }

  /** Wait until requests of ended commands cannot be confused with new requests, in ms. */
  async quietAfterMs(): Promise<number> {
    const now = this.#options.clock.now()
    const ended = (await this.#others()).map(({ activeUntil }) => activeUntil).filter(Number.isFinite)
    return Math.max(0, ...ended.map((activeUntil) => activeUntil + confusableMs - now))
  }

  /** Which other command may have saved an answer of the user. `sinceMs` is the age of the request. */
  async find(user: UserRef, sinceMs: number): Promise<string | undefined> {
    const earliest = this.#options.clock.now() - sinceMs - confusableMs
    const others = await this.#others()
    const rival = others.find(({ activeUntil, users }) => activeUntil >= earliest && users.has(user))
    return rival && `${rival.id} may have saved an equal answer for the same user at the same time`
  }

  #others(): Promise<OtherWriter[]> {
    const { register, self } = this.#options
    return register.others(self)
  }
}
