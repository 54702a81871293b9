import { hashUserId } from '../rows/user-hash.ts'

/** Numbers per entry: two hashes of the ID, the hash of the data, the line, and the row plus 1 (0: the slot is free). */
const width = 5

/** Finds rows with the same user ID. Keeps hashes only, because a list can have millions of rows. */
export class SeenUsers {
  private slots = new Uint32Array(1024 * width)
  private used = 0

  /** Returns the first row with this ID, or undefined if this row is the first one. */
  note(
    id: string,
    data: string,
    { row, line }: { row: number; line: number },
  ): { row: number; line: number; isEqual: boolean } | undefined {
    if (this.used * 2 * width >= this.slots.length) this.grow()
    const hashes = [hashUserId(id), hashUserId(`\0${id}`), hashUserId(data)] as const
    const at = this.find(this.slots, hashes[0], hashes[1])
    const first = this.slots[at + 4] as number
    if (first > 0) {
      return { row: first - 1, line: this.slots[at + 3] as number, isEqual: this.slots[at + 2] === hashes[2] }
    }
    this.slots.set([...hashes, line, row + 1], at)
    this.used++
    return undefined
  }

  private find(slots: Uint32Array, first: number, second: number): number {
    const count = slots.length / width
    let slot = first % count
    while (slots[slot * width + 4] !== 0) {
      if (slots[slot * width] === first && slots[slot * width + 1] === second) break
      slot = (slot + 1) % count
    }
    return slot * width
  }

  private grow(): void {
    const larger = new Uint32Array(this.slots.length * 2)
    for (let at = 0; at < this.slots.length; at += width) {
      if (this.slots[at + 4] === 0) continue
      const to = this.find(larger, this.slots[at] as number, this.slots[at + 1] as number)
      larger.set(this.slots.subarray(at, at + width), to)
    }
    this.slots = larger
  }
}
