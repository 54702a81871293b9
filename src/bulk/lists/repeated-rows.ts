import type { Table } from '../rows/table.ts'
import type { ListItem } from './read-list.ts'

interface RepeatRules {
  /** Known columns whose cells are sent. */
  data: readonly string[]
  /** Whether two rows with one ID and different data are invalid. */
  isCreation?: boolean
  /** Whether equal rows result in one row of the output. */
  isPerUser?: boolean
}

interface Conflict {
  line: number
  /** Line of the first row of the same user. */
  first: number
}

/** How many numbers are stored per row: two hashes of the ID, a hash of the data, and the line. */
const width = 4

/** Finds rows with the same user as an earlier row. Stores only numbers, because a list can have millions of rows. */
export class RepeatedRows {
  /** Lines of rows with the same user and different data. All of them are invalid, because the correct row is unknown. */
  readonly conflicts = new Set<number>()
  /** Number of rows with the same user and data as an earlier row. */
  equal = 0
  readonly #columns: readonly string[]
  readonly #rules: RepeatRules
  /** The rows in the order of their lines. */
  #rows = new Uint32Array(2 ** 20)
  #count = 0
  /** For each row: the number of the next equal row, or 0. */
  #next = new Uint32Array()
  /** For each row: 1 if the row repeats an earlier row. */
  #repeats = new Uint8Array()

  constructor({ format, layout }: Table, rules: RepeatRules) {
    const { data } = rules
    const found = new Set(layout.keyColumns.map(({ key }) => key))
    // JSON lines can have different columns, so all data columns are compared, even if the first line does not contain them.
    this.#columns = format === 'jsonl' ? data : data.filter((name) => found.has(name))
    this.#rules = rules
  }

  add({ user: { id }, expectedUserId, cell, line }: ListItem): void {
    let data = expectedUserId ?? ''
    for (const name of this.#columns) data += `\0${cell(name)}`
    const at = this.#count++ * width
    if (at === this.#rows.length) {
      const larger = new Uint32Array(at * 2)
      larger.set(this.#rows)
      this.#rows = larger
    }
    // The line replaces the second hash of the data, which is not needed.
    if (data !== '') writeHashes(data, this.#rows, at + 2)
    writeHashes(id, this.#rows, at)
    this.#rows[at + 3] = line
  }

  /** Called after all rows were added. Corrects the counts, and returns the later rows of each conflict. */
  compare(counts: { users: number; invalid: number }): Conflict[] {
    const found = this.#findRepeats()
    for (const { line, first } of found) {
      this.conflicts.add(line).add(first)
      // The rows that are equal to the first row are invalid too.
      for (let row = this.#take(this.#rowAt(first)); row > 0; row = this.#take(row)) {
        this.conflicts.add(this.#lineOf(row))
        this.#repeats[row] = 0
        this.equal--
      }
    }
    counts.users -= this.conflicts.size + (this.#rules.isPerUser ? this.equal : 0)
    counts.invalid += this.conflicts.size
    if (this.equal === 0) this.#rows = new Uint32Array()
    return found
  }

  /** Whether a row has the same user and data as an earlier row. */
  isRepeat({ line }: ListItem): boolean {
    return this.equal > 0 && this.#repeats[this.#rowAt(line)] === 1
  }

  /** Line of the next row with the same user and data. Undefined if no later row is equal. */
  nextOf({ line }: ListItem): number | undefined {
    const next = this.equal > 0 ? (this.#next[this.#rowAt(line)] ?? 0) : 0
    return next === 0 ? undefined : this.#lineOf(next)
  }

  /** Links equal rows, and returns the rows with different data. */
  #findRepeats(): Conflict[] {
    const rows = this.#rows
    // A hash table with open addressing. It contains the number of the first row of each user, plus 1.
    const firstRows = new Uint32Array(2 ** Math.ceil(Math.log2(this.#count * 2 + 1)))
    const last = new Uint32Array(this.#count)
    const different: Conflict[] = []
    this.#next = new Uint32Array(this.#count)
    this.#repeats = new Uint8Array(this.#count)
    for (let row = 0; row < this.#count; row++) {
      const at = row * width
      const slot = this.#findSlot(firstRows, at)
      const first = (firstRows[slot] as number) - 1
      if (first < 0) {
        firstRows[slot] = row + 1
        last[row] = row
      } else if (rows[first * width + 2] === rows[at + 2]) {
        this.#next[last[first] as number] = row
        last[first] = row
        this.#repeats[row] = 1
        this.equal++
      } else if (this.#rules.isCreation)
        different.push({ line: this.#lineOf(row), first: this.#lineOf(first) })
    }
    return different
  }

  /** Finds the entry of the hash table for the user of a row. The entry is empty if no earlier row has the same user. */
  #findSlot(firstRows: Uint32Array, at: number): number {
    const rows = this.#rows
    let slot = rows[at] as number
    for (;;) {
      slot %= firstRows.length
      const first = ((firstRows[slot] as number) - 1) * width
      if (first < 0 || (rows[first] === rows[at] && rows[first + 1] === rows[at + 1])) return slot
      slot++
    }
  }

  /** Removes and returns the next equal row. */
  #take(row: number): number {
    const next = this.#next[row] ?? 0
    this.#next[row] = 0
    return next
  }

  #lineOf(row: number): number {
    return this.#rows[row * width + 3] as number
  }

  /** The number of the row at a line, or -1. */
  #rowAt(line: number): number {
    let [from, to] = [0, this.#count]
    while (from < to) {
      const middle = (from + to) >>> 1
      if (this.#lineOf(middle) < line) from = middle + 1
      else to = middle
    }
    return from < this.#count && this.#lineOf(from) === line ? from : -1
  }
}

/** Maximum number of results that are kept for later rows. */
const maxShared = 10_000

/** Uses the result of a request also for the next row with the same user and data. */
export class SharedResults<Result> {
  readonly #repeats: Pick<RepeatedRows, 'nextOf'>
  readonly #limit: number
  /** Results by the line that needs them next. */
  readonly #results = new Map<number, { id: string; result: Promise<Result> }>()

  constructor(repeats: Pick<RepeatedRows, 'nextOf'>, isRead: boolean) {
    this.#repeats = repeats
    // All results of changes are kept, because a change must not be sent twice and its result is small.
    this.#limit = isRead ? maxShared : Number.POSITIVE_INFINITY
  }

  resultOf(item: ListItem, process: () => Promise<Result>): Promise<Result> {
    const { line, user } = item
    const shared = this.#results.get(line)
    if (shared) this.#results.delete(line)
    // Different rows can have the same hashes, so the IDs are compared before the result of an earlier row is used.
    const result = shared?.id === user.id ? shared.result : process()
    const next = this.#results.size < this.#limit ? this.#repeats.nextOf(item) : undefined
    if (next !== undefined) this.#results.set(next, { id: user.id, result })
    return result
  }
}

/** Writes two hashes of a text, which are the two halves of its 64-bit cyrb53 hash. */
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
