import { orUndefined } from '../../base/functions.ts'
import type { Question } from '../questions.ts'
import type { Cells } from '../scan/cells.ts'
import { ByteNames } from './byte-names.ts'

/** Aliases of time zones with unusual capitals. Node corrects the case of canonical zone names, but not of aliases. */
const oddAliases = new Map(
  `America/Argentina/ComodRivadavia America/Knox_IN Australia/ACT Australia/LHI Australia/NSW Brazil/DeNoronha
  CET CST6CDT Chile/EasterIsland EET EST EST5EDT Etc/GMT Etc/GMT+0 Etc/GMT-0 Etc/GMT0 Etc/UCT Etc/UTC GB GB-Eire GMT GMT0
  HST MET MST MST7MDT Mexico/BajaNorte Mexico/BajaSur NZ NZ-CHAT PRC PST8PDT ROC ROK UCT US/Alaska US/Aleutian US/Arizona
  US/Central US/East-Indiana US/Eastern US/Hawaii US/Indiana-Starke US/Michigan US/Mountain US/Pacific US/Samoa W-SU WET`
    .split(/\s+/)
    .map((name) => [name.toLowerCase(), name]),
)

const offsetPattern = /^(?:UTC|GMT)?[+-]\d|^Z$/i

/** Canonical names from Node's list, for fast lookups. Aliases are not in this list, so they take longer to check. */
let listed: ReadonlyMap<string, string> | undefined

/** The time zone with its correct case. An alias is not replaced with its canonical name. */
export function checkTimeZone(text: string): {
  name?: string
  fault?: 'timezone_offset' | 'timezone_unknown'
} {
  if (offsetPattern.test(text)) return { fault: 'timezone_offset' }
  const lower = text.toLowerCase()
  listed ??= new Map(Intl.supportedValuesOf('timeZone').map((name) => [name.toLowerCase(), name]))
  const name = listed.get(lower)
  if (name !== undefined) return { name }
  const resolved = orUndefined(
    () => new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone,
  )
  if (resolved === undefined) return { fault: 'timezone_unknown' }
  if (resolved.toLowerCase() === lower) return { name: resolved }
  // Node accepts abbreviations with several meanings: BST is Bangladesh or British Summer Time.
  if (lower.length === 3 && !oddAliases.has(lower)) return { fault: 'timezone_unknown' }
  const capitalized = lower.replace(/(?<=^|[/_-])[a-z]/g, (letter) => letter.toUpperCase())
  return { name: oddAliases.get(lower) ?? capitalized }
}

/** Maximum number of cached spellings. Other spellings are checked each time. */
const maxSpellings = 4096

/** Assigns numbers to the time zones of a file. Each spelling is checked only once, because the check is slow. */
export class ZoneNames {
  readonly names: string[] = []
  /** Whether at least one row has a time zone. */
  isUsed = false
  private readonly numbers = new ByteNames()

  /** The index of the row's time zone. -1 for an unknown time zone. */
  find(cells: Cells, column: number): number {
    this.isUsed = true
    return this.numbers.find(cells, column) ?? this.numberOf(cells.text(column))
  }

  numberOf(spelling: string): number {
    const { name } = checkTimeZone(spelling)
    if (name !== undefined && !this.names.includes(name)) this.names.push(name)
    const number = name === undefined ? -1 : this.names.indexOf(name)
    if (this.numbers.size < maxSpellings) this.numbers.add(spelling, number)
    return number
  }
}

/** The question about a file in which no row has a time zone. `column` is -1 if the file has no column for time zones. */
export function askForZone(column: number): Question {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const likely = new Set([timeZone, 'UTC'])
  const zones = [...new Set([...likely, ...Intl.supportedValuesOf('timeZone')])]
  const choices = zones.map((zone) => ({ name: zone, set: { timezone: zone } }))
  const found = column < 0 ? 'the file has no timezone column' : 'no row has a time zone'
  return {
    problem: `${found}; set the time zone of all rows, such as ${timeZone} (the zone of this machine)`,
    suggested: { timezone: timeZone },
    prompts: [
      { label: `Time zone of all answers (this machine: ${timeZone})`, likely: likely.size, choices },
    ],
  }
}
