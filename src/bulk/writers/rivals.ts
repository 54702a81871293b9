import type { Clock } from '../../base/io.ts'
import { confusableMs } from '../send/service-clock.ts'
import type { UserRef } from '../types.ts'
import type { OtherWriter, Writer, WriterRegister } from './register.ts'

interface RivalsOptions {
  register: WriterRegister
  self: Writer
  clock: Clock
}

/** Other commands on this machine that save answers of the same users, as far as they can be mistaken for this import. */
export class Rivals {
  readonly #options: RivalsOptions

  constructor(options: RivalsOptions) {
    this.#options = options
  }

  /** How long to wait until the requests of commands that have ended are too old to be mistaken, in ms; 0 if there are none. */
  async quietAfterMs(): Promise<number> {
    const now = this.#options.clock.now()
    const ended = (await this.#others()).map(({ activeUntil }) => activeUntil).filter(Number.isFinite)
    return Math.max(0, ...ended.map((activeUntil) => activeUntil + confusableMs - now))
  }

  /** Why an answer of the user, listed now, may be another command's; `sinceMs` is how long ago the request was announced. */
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
