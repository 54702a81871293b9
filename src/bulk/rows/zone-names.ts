import type { Memory } from '../scan/memory.ts'
import { ByteNames } from './byte-names.ts'
import { checkTimeZone } from './time-zones.ts'

/** Limit of the cache. Other spellings are checked each time. */
const maxSpellings = 4096

/** Numbers the time zones of a file. Each spelling is checked once, because the check is slow. */
export class ZoneNames {
  readonly names: string[] = []
  private readonly numbers = new ByteNames()
  private readonly wrong = new Set<string>()

  /** Returns -1 for an unknown time zone. */
  find(memory: Memory, from: number, to: number): number {
    const number = this.numbers.find(memory.view, from, to)
    return number >= 0 ? number : this.learn(memory.bytes.toString('utf8', from, to))
  }

  learn(spelling: string): number {
    if (this.wrong.has(spelling)) return -1
    const zone = checkTimeZone(spelling)
    if ('fault' in zone) {
      if (this.wrong.size < maxSpellings) this.wrong.add(spelling)
      return -1
    }
    const index = this.names.indexOf(zone.name)
    const number = index >= 0 ? index : this.names.push(zone.name) - 1
    if (this.numbers.size < maxSpellings) this.numbers.add(spelling, number)
    return number
  }
}
