import { allocate, type Memory } from '../scan/memory.ts'
import type { AnswerCounts } from './answer-counts.ts'
import type { BlockStore } from './block-store.ts'
import type { Partition } from './spool.ts'
import { hashAt, isSameUser, keyAt, lineAt, type SpooledRecord, sizeAt } from './spool-record.ts'

/** The answers of some users in memory, linked by user in file order. */
export class UserGroups {
  private memory: Memory = allocate(0)
  private userCount = 0
  /** First and last row of each user. */
  private firstRow = new Int32Array(0)
  private lastRow = new Int32Array(0)
  /** By row: the next row of the same user or -1, and the position of the record. */
  private nextRow = new Int32Array(0)
  private recordAt = new Int32Array(0)
  private slots = new Int32Array(0)

  /** Replaces the loaded partition. */
  load(store: BlockStore, partition: Partition): void {
    this.makeRoom(partition)
    let filled = 0
    for (const block of partition.blocks) {
      store.read(block, this.memory.bytes, filled)
      filled += block.bytes
    }
    this.userCount = 0
    let at = 0
    for (let row = 0; row < partition.rows; row++) {
      this.recordAt[row] = at
      this.nextRow[row] = -1
      this.append(row, this.userOf(at))
      at += sizeAt(this.memory, at)
    }
  }

  *users(): Generator<Iterable<SpooledRecord>> {
    for (let user = 0; user < this.userCount; user++) yield this.recordsOf(user)
  }

  /** Three times as fast as a loop over `users`. */
  countInto(counts: AnswerCounts): void {
    const { memory, firstRow, nextRow, recordAt } = this
    for (let user = 0; user < this.userCount; user++) {
      counts.startUser()
      for (let row = firstRow[user] as number; row >= 0; row = nextRow[row] as number) {
        const at = recordAt[row] as number
        counts.add(keyAt(memory, at), lineAt(memory, at))
      }
    }
  }

  private *recordsOf(user: number): Generator<SpooledRecord> {
    const record = { memory: this.memory, at: 0 }
    for (let row = this.firstRow[user] as number; row >= 0; row = this.nextRow[row] as number) {
      record.at = this.recordAt[row] as number
      yield record
    }
  }

  private append(row: number, user: number): void {
    if (user === this.userCount) {
      this.userCount++
      this.firstRow[user] = row
    } else {
      this.nextRow[this.lastRow[user] as number] = row
    }
    this.lastRow[user] = row
  }

  /** Number of the user, in order of appearance. A new user gets `userCount`. */
  private userOf(at: number): number {
    const { view } = this.memory
    const mask = this.slots.length - 1
    // The low bits determined the partition.
    let slot = (Math.imul(hashAt(this.memory, at), 0x9e3779b1) >>> 8) & mask
    for (;;) {
      const user = this.slots[slot] as number
      if (user < 0) break
      if (isSameUser(view, this.recordAt[this.firstRow[user] as number] as number, view, at)) return user
      slot = (slot + 1) & mask
    }
    this.slots[slot] = this.userCount
    return this.userCount
  }

  private makeRoom(partition: Partition): void {
    if (this.memory.bytes.length < partition.bytes) this.memory = allocate(Math.ceil(partition.bytes * 1.25))
    if (this.nextRow.length < partition.rows) {
      const rows = Math.ceil(partition.rows * 1.25)
      this.firstRow = new Int32Array(rows)
      this.lastRow = new Int32Array(rows)
      this.nextRow = new Int32Array(rows)
      this.recordAt = new Int32Array(rows)
      this.slots = new Int32Array(2 ** Math.ceil(Math.log2(rows * 1.5)))
    }
    this.slots.fill(-1)
  }
}
