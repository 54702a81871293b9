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

interface Repeat {
  line: number
  /** Line of the first row of the same user. */
  first: number
}

/** Numbers per row: two hashes of the ID, a hash of the data, and the line. */
const width = 4
const counterCount = 2 ** 24

/** Finds rows with the same user as an earlier row. Stores only hashes, because a list can have millions of rows. */
export class RepeatedRows {
  /** Maps the line of each repeated row to the line of the first row with the same user and data. */
  readonly equal = new Map<number, number>()
  /** Lines of rows with the same user and different data. The right row is unknown, so all of them are invalid. */
  readonly conflicts = new Set<number>()
  readonly #columns: readonly string[]
  readonly #rules: RepeatRules
  #rows = new Uint32Array(2 ** 20)
  #end = 0
  /** Number of rows per hash: 0, 1, or 2 for more. An element contains 16 counters. */
  readonly #counters = new Uint32Array(counterCount / 16)

  constructor({ format, layout }: Table, rules: RepeatRules) {
    const { data } = rules
    const found = new Set(layout.keyColumns.map(({ key }) => key))
    // Lines of JSON have no common columns.
    this.#columns = format === 'jsonl' ? data : data.filter((name) => found.has(name))
    this.#rules = rules
  }

  add({ user: { id }, expectedUserId, cell, line }: ListItem): void {
    let data = expectedUserId ?? ''
    for (const name of this.#columns) data += `\0${cell(name)}`
    if (this.#end === this.#rows.length) this.#grow()
    const rows = this.#rows
    const at = this.#end
    // The second hash of the data is replaced by the line.
    if (data !== '') writeHashes(data, rows, at + 2)
    writeHashes(id, rows, at)
    rows[at + 3] = line
    this.#end += width
    const hash = rows[at] as number
    const element = (hash % counterCount) >>> 4
    const shift = (hash & 15) * 2
    const counters = this.#counters[element] as number
    if (((counters >>> shift) & 3) < 2) this.#counters[element] = counters + (1 << shift)
  }

  #grow(): void {
    const larger = new Uint32Array(this.#end * 2)
    larger.set(this.#rows)
    this.#rows = larger
  }

  /** Called after all rows were added. Corrects the counts, and returns the later rows of each conflict. */
  compare(counts: { users: number; invalid: number }): Repeat[] {
    const found = this.#findRepeats()
    const firstLines = new Set(found.map(({ first }) => first))
    for (const { line, first } of found) this.conflicts.add(line).add(first)
    for (const [line, first] of this.equal) {
      if (!firstLines.has(first)) continue
      this.equal.delete(line)
      this.conflicts.add(line)
    }
    counts.users -= this.conflicts.size + (this.#rules.isPerUser ? this.equal.size : 0)
    counts.invalid += this.conflicts.size
    return found
  }

  /** Finds equal rows, and returns the rows with different data. */
  #findRepeats(): Repeat[] {
    const rows = this.#rows
    const firstRows = new Map<number, number>()
    const different: Repeat[] = []
    for (let at = 0; at < this.#end; at += width) {
      const hash = rows[at] as number
      const counters = this.#counters[(hash % counterCount) >>> 4] as number
      // Nearly all rows are the only one with their hash, and need no search.
      if (((counters >>> ((hash & 15) * 2)) & 3) < 2) continue
      // As many bits of both hashes as a number can contain.
      const key = hash * 2 ** 21 + ((rows[at + 1] as number) >>> 11)
      const earlier = firstRows.get(key)
      if (earlier === undefined) firstRows.set(key, at)
      if (earlier === undefined || rows[earlier + 1] !== rows[at + 1]) continue
      const [line, first] = [rows[at + 3] as number, rows[earlier + 3] as number]
      if (rows[earlier + 2] === rows[at + 2]) this.equal.set(line, first)
      else if (this.#rules.isCreation) different.push({ line, first })
    }
    return different
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

/** Writes two hashes of a text: cyrb53, with all 64 bits. */
function writeHashes(text: string, rows: Uint32Array, at: number): void {
  let first = 0xdeadbeef
  let second = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    first = Math.imul(first ^ code, 0x9e3779b1)
    second = Math.imul(second ^ code, 0x5f356495)
  }
  first = Math.imul(first ^ (first >>> 16), 0x85ebca6b) ^ Math.imul(second ^ (second >>> 13), 0xc2b2ae35)
  second = Math.imul(second ^ (second >>> 16), 0x85ebca6b) ^ Math.imul(first ^ (first >>> 13), 0xc2b2ae35)
  rows[at] = first
  rows[at + 1] = second
}
