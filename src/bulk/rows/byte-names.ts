import { allocate } from '../scan/memory.ts'

/** Numbers names by their bytes, so that a name seen before costs no string. */
export class ByteNames {
  private readonly spellings: DataView[] = []
  private readonly numbers: number[] = []
  private slots = new Int32Array(256).fill(-1)

  get size(): number {
    return this.spellings.length
  }

  /** The number given to exactly these bytes, or -1. */
  find(view: DataView, from: number, to: number): number {
    const mask = this.slots.length - 1
    let slot = hashOf(view, from, to) & mask
    for (;;) {
      const index = this.slots[slot] as number
      if (index < 0) return -1
      if (equals(this.spellings[index] as DataView, view, from, to)) return this.numbers[index] as number
      slot = (slot + 1) & mask
    }
  }

  /** `number` may be shared: two spellings of one name. */
  add(spelling: string, number: number): void {
    const memory = allocate(Buffer.byteLength(spelling))
    memory.bytes.write(spelling)
    this.spellings.push(memory.view)
    this.numbers.push(number)
    if (this.spellings.length * 2 > this.slots.length) this.grow()
    else this.place(this.spellings.length - 1)
  }

  private grow(): void {
    this.slots = new Int32Array(this.slots.length * 2).fill(-1)
    for (let index = 0; index < this.spellings.length; index++) this.place(index)
  }

  private place(index: number): void {
    const spelling = this.spellings[index] as DataView
    const mask = this.slots.length - 1
    let slot = hashOf(spelling, 0, spelling.byteLength) & mask
    while ((this.slots[slot] as number) >= 0) slot = (slot + 1) & mask
    this.slots[slot] = index
  }
}

/** Length and the first and last bytes tell names of one list apart well enough; equality is checked in full. */
function hashOf(view: DataView, from: number, to: number): number {
  if (from === to) return 0
  const isShort = to - from < 4
  const first = isShort ? view.getUint8(from) : view.getInt32(from, true)
  const last = isShort ? view.getUint8(to - 1) : view.getInt32(to - 4, true)
  const hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(last + to - from, 0x85ebca6b)
  return hash ^ (hash >>> 15)
}

function equals(spelling: DataView, view: DataView, from: number, to: number): boolean {
  const length = to - from
  if (spelling.byteLength !== length) return false
  let index = 0
  for (; index + 3 < length; index += 4) {
    if (spelling.getInt32(index, true) !== view.getInt32(from + index, true)) return false
  }
  for (; index < length; index++) {
    if (spelling.getUint8(index) !== view.getUint8(from + index)) return false
  }
  return true
}
