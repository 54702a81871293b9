/** Numbers per entry: two hashes of the ID, the hash of the data, and the line (0: the slot is free). */
const width = 4

/** Finds rows with the same user ID. Keeps hashes only, because a list can have millions of rows. */
export class SeenUsers {
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
  // The number of slots is a power of two.
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
