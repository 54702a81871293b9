import { allocate, type Memory } from '../scan/memory.ts'

/** Numbers names by their bytes, without creating a string for a known name. */
export class ByteNames {
  /** All names. Each starts where the previous one ends. */
  private spelled: Memory = allocate(1024)
  private starts = new Int32Array(129)
  private numbers = new Int32Array(128)
  private slots = new Int32Array(256).fill(-1)
  private count = 0

  get size(): number {
    return this.count
  }

  /** Returns -1 for an unknown name. */
  find(view: DataView, from: number, to: number): number {
    const mask = this.slots.length - 1
    let slot = hashOf(view, from, to) & mask
    for (;;) {
      const index = this.slots[slot] as number
      if (index < 0) return -1
      if (this.equals(index, view, from, to)) return this.numbers[index] as number
      slot = (slot + 1) & mask
    }
  }

  /** Two spellings of a name may have the same number. */
  add(spelling: string, number: number): void {
    const index = this.count++
    const from = this.starts[index] as number
    const to = from + Buffer.byteLength(spelling)
    if (to > this.spelled.bytes.length) this.growBytes(to)
    this.spelled.bytes.write(spelling, from)
    if (this.count * 2 > this.slots.length) this.growSlots()
    this.starts[this.count] = to
    this.numbers[index] = number
    this.place(index)
  }

  private equals(index: number, view: DataView, from: number, to: number): boolean {
    const own = this.spelled.view
    let at = this.starts[index] as number
    if ((this.starts[index + 1] as number) - at !== to - from) return false
    let other = from
    for (; other + 3 < to; other += 4, at += 4) {
      if (own.getInt32(at, true) !== view.getInt32(other, true)) return false
    }
    for (; other < to; other++, at++) {
      if (own.getUint8(at) !== view.getUint8(other)) return false
    }
    return true
  }

  private growBytes(atLeast: number): void {
    const larger = allocate(atLeast * 2)
    this.spelled.bytes.copy(larger.bytes)
    this.spelled = larger
  }

  /** Keeps at least two slots per name. */
  private growSlots(): void {
    const { starts, numbers } = this
    this.slots = new Int32Array(this.slots.length * 2).fill(-1)
    this.starts = new Int32Array(this.slots.length / 2 + 1)
    this.starts.set(starts)
    this.numbers = new Int32Array(this.slots.length / 2)
    this.numbers.set(numbers)
    for (let index = 0; index < this.count - 1; index++) this.place(index)
  }

  private place(index: number): void {
    const from = this.starts[index] as number
    const mask = this.slots.length - 1
    let slot = hashOf(this.spelled.view, from, this.starts[index + 1] as number) & mask
    while ((this.slots[slot] as number) >= 0) slot = (slot + 1) & mask
    this.slots[slot] = index
  }
}

/** Uses only the length and the first and last bytes, because `equals` compares all bytes. */
function hashOf(view: DataView, from: number, to: number): number {
  if (from === to) return 0
  const isShort = to - from < 4
  const first = isShort ? view.getUint8(from) : view.getInt32(from, true)
  const last = isShort ? view.getUint8(to - 1) : view.getInt32(to - 4, true)
  const hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(last + to - from, 0x85ebca6b)
  return hash ^ (hash >>> 15)
}
