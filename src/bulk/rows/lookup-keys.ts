import { UsageError } from '../../base/errors.ts'
import { hideKeysIn } from '../../base/mask.ts'
import { nearest } from '../../base/nearest.ts'
import type { Cells } from '../scan/cells.ts'
import type { Plan } from '../schemas.ts'
import type { UnknownKey } from '../types.ts'
import { ByteNames } from './byte-names.ts'

/** Maximum number of names. More names mean that the wrong column was read. */
const maxNames = 60_000

/** Maximum number of unknown keys that are listed and compared with known keys, because comparing is slow. */
const maxUnknownKeys = 1000

const maxKeyLength = 60

/** Usual values of adults in the units of the service. Other values cause only a warning, because they may be valid. */
const usual = new Map<string, Limits>([
  ['height', [100, 250, 'cm']],
  ['weight', [25, 350, 'kg']],
])

type Limits = readonly [lowest: number, highest: number, unit: string]

/** Assigns numbers to the lookup keys of a file. If the lookup keys of the service are not available, every key is accepted. */
export class LookupKeys {
  readonly names: string[] = []
  private readonly numbers = new Map<string, number>()
  private readonly byBytes = new ByteNames()
  private readonly known: ReadonlySet<string> | undefined
  private readonly unknown = new Map<string, UnknownKey>()
  /** Usual values and number of answers outside these values, by lookup key. */
  private readonly limits: (Limits | undefined)[] = []
  private readonly unusual: number[] = []

  constructor(known?: readonly string[]) {
    this.known = known && new Set(known)
    for (const key of this.known ?? []) this.add(key)
  }

  find(cells: Cells, column: number): number {
    return this.byBytes.find(cells, column) ?? this.numberOf(cells.text(column))
  }

  numberOf(key: string): number {
    const number = this.numbers.get(key)
    if (number !== undefined) return number
    return this.known || key === '' ? -1 : this.add(key)
  }

  nearest(key: string): string | undefined {
    const noted = this.unknown.get(shortKey(key))
    if (noted) return noted.nearest
    const isComparable = key.length <= maxKeyLength && this.unknown.size < maxUnknownKeys
    if (!isComparable) return undefined
    // A name with a line feed could imitate another message, so it is not suggested.
    const names = this.names.filter((name) => !name.includes('\n'))
    const plain = key
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_')
    return nearest(plain, names)
  }

  noteUnknown(name: string, line: number): void {
    const key = shortKey(name)
    const entry = this.unknown.get(key)
    if (entry) entry.rows++
    else if (this.unknown.size < maxUnknownKeys) {
      this.unknown.set(key, { key, rows: 1, first_line: line, nearest: this.nearest(name) })
    }
  }

  unknownKeys(): UnknownKey[] {
    return [...this.unknown.values()].sort((a, b) => b.rows - a.rows)
  }

  /** Counts an answer whose value is outside the usual range. Such an answer probably has the wrong unit or is in the wrong column. */
  noteValue({ key, value }: { key: number; value: number }): void {
    const limits = this.limits[key]
    if (limits && (value < limits[0] || value > limits[1])) this.unusual[key] = (this.unusual[key] ?? 0) + 1
  }

  unusualAnswers(): Plan['unusual'] {
    return this.unusual.flatMap((answers, key) => {
      const [lowest, highest, unit] = this.limits[key] as Limits
      return [{ lookup_key: this.names[key] ?? '', answers, usual: `${lowest} to ${highest} ${unit}` }]
    })
  }

  private add(name: string): number {
    if (this.names.length === maxNames) {
      throw new UsageError(`the file has more than ${maxNames} different lookup keys`, {
        hint: 'Check the lookup_key column. To use another column, add --map column=lookup_key.',
      })
    }
    this.numbers.set(name, this.names.length)
    this.byBytes.add(name, this.names.length)
    this.limits.push(usual.get(name))
    return this.names.push(name) - 1
  }
}

/** Prepares a text from a file for a message: hides possible keys and tokens, and shortens a long text. */
export function shortKey(key: string): string {
  const shown = hideKeysIn(key)
  if (shown.length <= maxKeyLength) return shown
  return `${shown.slice(0, maxKeyLength).replace(/\p{Surrogate}$/u, '')}…`
}
