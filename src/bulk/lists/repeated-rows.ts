import type { Table } from '../rows/table.ts'
import type { ListItem } from './read-list.ts'

export interface RepeatRules {
  /** Columns whose cells are sent. */
  data: readonly string[]
  /** Whether two rows with the same ID and different data are invalid. */
  isCreation?: boolean
  /** Whether several rows with the same user and data produce only one row in the output. */
  isPerUser?: boolean
}

/** The first of several rows with the same user and data. */
interface FirstRow {
  line: number
  /** Number of rows with this user and data, including the first row. */
  rows: number
}

interface Conflict {
  line: number
  /** Line of the user's first row. */
  first: number
}

export class RepeatedRows {
  /** IDs of users whose rows contain different data. All of these rows are invalid, because the correct row is unknown. */
  readonly conflicts = new Set<string>()
  /** Number of rows with the same user and data as an earlier row. */
  equal = 0
  /** Number of users in the valid rows. Set by `compare`. */
  users = 0
  readonly #columns: readonly string[]
  readonly #rules: RepeatRules
  /** The line of the first row for each key (see `#identify`). */
  #lines = new Map<string, number>()
  /** Only if users are created: the data of each user's first row. Two maps use less memory than an object per row. */
  #data = new Map<string, string>()
  /** IDs of the users, for counting the users. Undefined while the keys of `#lines` are these IDs, so that the IDs are not stored twice. */
  #ids: Set<string> | undefined
  readonly #repeated = new Map<string, FirstRow>()
  readonly #different: Conflict[] = []

  constructor({ format, layout }: Table, rules: RepeatRules) {
    const { data } = rules
    const found = new Set(layout.keyColumns.map(({ key }) => key))
    // In JSON lines, each line can have other columns. Two rows are therefore compared in all data columns, also in columns that the first
    // line does not contain.
    this.#columns = format === 'jsonl' ? data : data.filter((name) => found.has(name))
    this.#rules = rules
  }

  add(item: ListItem): void {
    const { key, data } = this.#identify(item)
    if (key !== item.user.id) this.#ids ??= new Set(this.#lines.keys())
    this.#ids?.add(item.user.id)
    const line = this.#lines.get(key)
    if (line === undefined) {
      this.#lines.set(key, item.line)
      if (data !== '') this.#data.set(key, data)
    } else if (data === (this.#data.get(key) ?? '')) {
      const first = this.#repeated.get(key) ?? { line, rows: 1 }
      this.#repeated.set(key, { line, rows: first.rows + 1 })
      this.equal++
    } else {
      this.conflicts.add(key)
      this.#different.push({ line: item.line, first: line })
    }
  }

  /** Corrects the counts after all rows were added. Returns the rows whose data differs from the first row of the same user. */
  compare(counts: { users: number; invalid: number }): readonly Conflict[] {
    let invalid = this.#different.length
    for (const key of this.conflicts) {
      // With this row, the user's first row and all rows with the same data as the first row become invalid.
      const { rows } = this.#repeated.get(key) ?? { rows: 1 }
      invalid += rows
      this.equal -= rows - 1
      this.#repeated.delete(key)
    }
    counts.users -= invalid + (this.#rules.isPerUser ? this.equal : 0)
    counts.invalid += invalid
    this.users = this.#ids?.size ?? this.#lines.size - this.conflicts.size
    this.#lines = new Map()
    this.#data = new Map()
    this.#ids = undefined
    return this.#different
  }

  /** The first of all rows with the same user and data as this row. Undefined if no other row has the same user and data. */
  firstOf(item: ListItem): FirstRow | undefined {
    return this.equal === 0 ? undefined : this.#repeated.get(this.#identify(item).key)
  }

  isRepeat(item: ListItem): boolean {
    return (this.firstOf(item) ?? item).line !== item.line
  }

  /** Whether the output omits this row, because an earlier row has the same user and data. */
  isOmitted(item: ListItem): boolean {
    return this.#rules.isPerUser === true && this.isRepeat(item)
  }

  /** Rows with the same key are compared. Different data is a conflict only for creations, so other keys contain the data of the row. */
  #identify({ user: { id }, expectedUserId, cell }: ListItem): { key: string; data: string } {
    let data = expectedUserId ?? ''
    for (const name of this.#columns) data += `\0${cell(name)}`
    return this.#rules.isCreation || data === ''
      ? { key: id, data }
      : { key: `${id.length} ${id}${data}`, data: '' }
  }
}

/** Maximum number of results that are kept for later rows. */
const maxShared = 10_000

/** Returns a function that uses the result of one request for all rows with the same user and data. */
export function resultSharing<Result>(repeats: Pick<RepeatedRows, 'firstOf'>, isRead: boolean) {
  // All results of changes are kept, because a change must not be sent twice. Such results are small.
  const limit = isRead ? maxShared : Number.POSITIVE_INFINITY
  /** The result of the first of several equal rows. `left` is the number of later equal rows that still need the result. */
  const results = new Map<FirstRow, { result: Promise<Result>; left: number }>()
  return (item: ListItem, process: () => Promise<Result>): Promise<Result> => {
    const first = repeats.firstOf(item)
    if (!first) return process()
    const shared = results.get(first)
    if (shared) {
      shared.left--
      if (shared.left === 0) results.delete(first)
      return shared.result
    }
    const result = process()
    if (results.size < limit) results.set(first, { result, left: first.rows - 1 })
    return result
  }
}
