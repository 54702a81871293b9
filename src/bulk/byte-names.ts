/** Numbers names by their bytes, so that a name seen before costs no string. */
export class ByteNames {
  private readonly spellings: Buffer[] = []
  private readonly numbers: number[] = []
  private slots = new Int32Array(256).fill(-1)

  get size(): number {
    return this.spellings.length
  }

  /** The number given to exactly these bytes, or -1. */
  find(bytes: Uint8Array, from: number, to: number): number {
    const mask = this.slots.length - 1
    let slot = hashOf(bytes, from, to) & mask
    for (;;) {
      const index = this.slots[slot] as number
      if (index < 0) return -1
      if (equals(this.spellings[index] as Buffer, bytes, from, to)) return this.numbers[index] as number
      slot = (slot + 1) & mask
    }
  }

  /** `number` may be shared: two spellings of one name. */
  add(spelling: string, number: number): void {
    this.spellings.push(Buffer.from(spelling))
    this.numbers.push(number)
    if (this.spellings.length * 2 > this.slots.length) this.grow()
    else this.place(this.spellings.length - 1)
  }

  private grow(): void {
    this.slots = new Int32Array(this.slots.length * 2).fill(-1)
    for (let index = 0; index < this.spellings.length; index++) this.place(index)
  }

  private place(index: number): void {
    const spelling = this.spellings[index] as Buffer
    const mask = this.slots.length - 1
    let slot = hashOf(spelling, 0, spelling.length) & mask
    while ((this.slots[slot] as number) >= 0) slot = (slot + 1) & mask
    this.slots[slot] = index
  }
}

/** Length and four bytes tell names of one list apart well enough; equality is checked in full. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  if (from === to) return 0
  const ends = (bytes[from] as number) * 31 + (bytes[to - 1] as number)
  const inside = (bytes[(from + to) >>> 1] as number) * 7 + (bytes[from + ((to - from) >>> 2)] as number)
  const hash = Math.imul(ends * 131 + inside * 17 + (to - from), 0x9e3779b1)
  return hash ^ (hash >>> 15)
}

function equals(spelling: Buffer, bytes: Uint8Array, from: number, to: number): boolean {
  if (spelling.length !== to - from) return false
  for (let index = 0; index < spelling.length; index++) {
    if (spelling[index] !== bytes[from + index]) return false
  }
  return true
}
