import type { Table } from '../rows/table.ts'
import type { ListItem } from './read-list.ts'

interface RepeatRules {
  /** Known columns whose cells are sent. */
  data: readonly string[]
  /** Whether two rows with one ID and different data are invalid. */
  isCreation: boolean
  /** Whether equal rows result in one row of the output. */
  isPerUser: boolean
}

const none: readonly string[] = []

/** Finds rows with the same user as an earlier row. */
export class RepeatedRows {
  /** Maps the line of each repeated row to the line of the first row with the same user and data. */
  readonly equal = new Map<number, number>()
  /** Lines of rows with the same user and different data. The right row is unknown, so all of them are invalid. */
  readonly conflicts = new Set<number>()
  /** Lines of conflicting rows that are the first row of their user. */
  readonly #first = new Set<number>()
  readonly #seen = new SeenUsers()
  readonly #columns: readonly string[]
  readonly #rules: RepeatRules

  constructor({ format, layout }: Table, rules: RepeatRules) {
    const { data } = rules
    const found = new Set(layout.keyColumns.map(({ key }) => key))
    // Lines of JSON have no common columns.
    this.#columns = format === 'jsonl' ? data : data.filter((name) => found.has(name))
    this.#rules = rules
  }

  problemsOf(item: ListItem): readonly string[] {
    let data = item.expectedUserId ?? ''
    for (const name of this.#columns) data += `\0${item.cell(name)}`
    const first = this.#seen.note(item.user.id, data, item.line)
    if (first?.isEqual) this.equal.set(item.line, first.line)
    if (!this.#rules.isCreation || first === undefined || first.isEqual) return none
    this.#first.add(first.line)
    this.conflicts.add(item.line)
    return [`the same user ID as on line ${first.line}, with different data`]
  }

  /** Called after all rows were read. Corrects the counts, because the first row of each conflict was counted as valid. */
  correct(counts: { users: number; invalid: number }): void {
    const earlier = [...this.#first]
    for (const [line, first] of this.equal) {
      if (!this.#first.has(first)) continue
      this.equal.delete(line)
      earlier.push(line)
    }
    for (const line of earlier) this.conflicts.add(line)
    counts.users -= earlier.length + (this.#rules.isPerUser ? this.equal.size : 0)
    counts.invalid += earlier.length
  }
}

/** Maximum number of results that are kept for later rows. */
const maxShared = 10_000

/** Shares the result of a request with later rows that have the same user and data. */
export class SharedResults<Result> {
  readonly #repeats: ReadonlyMap<number, number>
  readonly #limit: number
  /** Lines of rows that later rows repeat. */
  readonly #first: ReadonlySet<number>
  readonly #results = new Map<number, { id: string; result: Promise<Result> }>()

  /** `repeats` maps the line of each repeated row to the line of the first row with the same user and data. */
  constructor(repeats: ReadonlyMap<number, number>, isRead: boolean) {
    this.#repeats = repeats
    this.#first = new Set(repeats.values())
    // All results of changes are kept, because a change must not be sent twice and its result is small.
    this.#limit = isRead ? maxShared : Number.POSITIVE_INFINITY
  }

  resultOf({ line, user: { id } }: ListItem, process: () => Promise<Result>): Promise<Result> {
    const shared = this.#results.get(this.#repeats.get(line) ?? 0)
    // Equal rows are found by hashes, so the IDs are compared before a result is shared.
    if (shared?.id === id) return shared.result
    const result = process()
    if (this.#first.has(line) && this.#results.size < this.#limit) this.#results.set(line, { id, result })
    return result
  }
}

/** Numbers per entry: two hashes of the ID, a hash of the data, and the line (0 if the entry is free). */
const width = 4

/** Finds rows with the same user ID. Stores only hashes, because a list can have millions of rows. */
class SeenUsers {
  private slots = new Uint32Array(1024 * width)
  private used = 0

  /** Returns the first row with this ID, or undefined if this row is the first one. */
  note(id: string, data: string, line: number): { line: number; isEqual: boolean } | undefined {
    if (this.used * width * 4 >= this.slots.length * 3) this.grow()
    const { slots } = this
    const first = hashText(id, 0)
    const second = hashText(id, 0x9e3779b9)
    const dataHash = hashText(data, 0)
    const at = find(slots, first, second)
    const found = slots[at + 3] as number
    if (found > 0) return { line: found, isEqual: slots[at + 2] === dataHash }
    slots[at] = first
    slots[at + 1] = second
    slots[at + 2] = dataHash
    slots[at + 3] = line
    this.used++
    return undefined
  }

  private grow(): void {
    const larger = new Uint32Array(this.slots.length * 2)
    for (let at = 0; at < this.slots.length; at += width) {
      if (this.slots[at + 3] === 0) continue
      const to = find(larger, this.slots[at] as number, this.slots[at + 1] as number)
      larger.set(this.slots.subarray(at, at + width), to)
    }
    this.slots = larger
  }
}

function find(slots: Uint32Array, first: number, second: number): number {
  // The number of entries is a power of two.
  const mask = slots.length / width - 1
  let slot = first & mask
  while (slots[slot * width + 3] !== 0) {
    if (slots[slot * width] === first && slots[slot * width + 1] === second) break
    slot = (slot + 1) & mask
  }
  return slot * width
}

/** MurmurHash3 of the UTF-16 code units. */
function hashText(text: string, seed: number): number {
  let hash = seed
  for (let at = 0; at < text.length; at++) {
    const scrambled = Math.imul(text.charCodeAt(at), 0xcc9e2d51)
    const mixed = hash ^ Math.imul((scrambled << 15) | (scrambled >>> 17), 0x1b873593)
    hash = (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0
  }
  hash = Math.imul(hash ^ (hash >>> 16) ^ text.length, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
