import type { Memory } from '../scan/memory.ts'
import { ByteNames } from './byte-names.ts'
import { checkTimeZone } from './time-zones.ts'

/** Spellings past this are checked each time: the cache never grows with the file. */
const maxSpellings = 4096

/** The zones of one file, numbered; a spelling is checked once, because the platform's check is dear. */
export class ZoneNames {
  readonly names: string[] = []
  private readonly numbers = new ByteNames()
  private readonly wrong = new Set<string>()

  /** The zone's number, or -1 for what is no zone. */
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
