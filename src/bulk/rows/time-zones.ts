import { orUndefined } from '../../base/functions.ts'
import type { Evidence, Question } from '../questions.ts'
import type { Cells } from '../scan/cells.ts'
import { ByteNames } from './byte-names.ts'

/** Aliases with unusual capitals. Node corrects the case of canonical names, but not of aliases. */
const oddAliases = new Map(
  `America/Argentina/ComodRivadavia America/Knox_IN Australia/ACT Australia/LHI Australia/NSW Brazil/DeNoronha
  CET CST6CDT Chile/EasterIsland EET EST EST5EDT Etc/GMT Etc/GMT+0 Etc/GMT-0 Etc/GMT0 Etc/UCT Etc/UTC GB GB-Eire GMT GMT0
  HST MET MST MST7MDT Mexico/BajaNorte Mexico/BajaSur NZ NZ-CHAT PRC PST8PDT ROC ROK UCT US/Alaska US/Aleutian US/Arizona
  US/Central US/East-Indiana US/Eastern US/Hawaii US/Indiana-Starke US/Michigan US/Mountain US/Pacific US/Samoa W-SU WET`
    .split(/\s+/)
    .map((name) => [name.toLowerCase(), name]),
)

type ZoneFault = 'timezone_offset' | 'timezone_unknown'

const offsetPattern = /^(?:UTC|GMT)?[+-]\d|^Z$/i

/** The time zone with its correct case. Aliases are kept. */
export function checkTimeZone(text: string): { name?: string; fault?: ZoneFault } {
  if (offsetPattern.test(text)) return { fault: 'timezone_offset' }
  const lower = text.toLowerCase()
  const name = listed().get(lower)
  if (name !== undefined) return { name }
  const resolved = resolve(text)
  if (resolved === undefined) return { fault: 'timezone_unknown' }
  if (resolved.toLowerCase() === lower) return { name: resolved }
  return { name: oddAliases.get(lower) ?? capitalize(lower) }
}

/** Maximum number of cached spellings. Other spellings are checked each time. */
const maxSpellings = 4096

/** Assigns numbers to the time zones of a file. Each spelling is checked only once, because the check is slow. */
export class ZoneNames {
  readonly names: string[] = []
  private readonly numbers = new ByteNames()

  /** The number of a time zone. -1 for an unknown time zone. */
  find(cells: Cells, column: number): number {
    return this.numbers.find(cells, column) ?? this.numberOf(cells.text(column))
  }

  numberOf(spelling: string): number {
    const { name } = checkTimeZone(spelling)
    const number = name === undefined ? -1 : this.numberOfName(name)
    if (this.numbers.size < maxSpellings) this.numbers.add(spelling, number)
    return number
  }

  private numberOfName(name: string): number {
    const index = this.names.indexOf(name)
    return index >= 0 ? index : this.names.push(name) - 1
  }
}

/** Asks for the time zone if no row of a file has one. */
export class ZoneSurvey implements Evidence {
  private readonly column: number
  private isFound = false

  constructor(column: number) {
    this.column = column
  }

  note(cells: Cells): void {
    this.isFound ||= this.column >= 0 && !cells.isEmpty(this.column)
  }

  questions(): Question[] {
    if (this.isFound) return []
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    const likely = new Set([timeZone, 'UTC'])
    const zones = [...new Set([...likely, ...Intl.supportedValuesOf('timeZone')])]
    const choices = zones.map((zone) => ({ name: zone, set: { timezone: zone } }))
    const found = this.column < 0 ? 'the file has no timezone column' : 'no row has a time zone'
    return [
      {
        problem: `${found}; set the time zone of all rows, such as ${timeZone} (the zone of this machine)`,
        suggested: { timezone: timeZone },
        prompts: [
          { label: `Time zone of all answers (this machine: ${timeZone})`, likely: likely.size, choices },
        ],
      },
    ]
  }
}

let names: ReadonlyMap<string, string> | undefined

/** Names from the list of Node. Aliases are not in the list, but a lookup is much faster than creating a formatter. */
function listed(): ReadonlyMap<string, string> {
  names ??= new Map(Intl.supportedValuesOf('timeZone').map((name) => [name.toLowerCase(), name]))
  return names
}

function resolve(timeZone: string): string | undefined {
  return orUndefined(() => new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone)
}

function capitalize(lower: string): string {
  return lower.replace(/(?<=^|[/_-])[a-z]/g, (letter) => letter.toUpperCase())
}
