/** MurmurHash3 (x86, 32 bits, seed 0). The hash determines the partition and the shard of a user, so it must never change. */
export function hashUser(view: DataView, from: number, to: number): number {
  let hash = 0
  let at = from
  for (; at + 3 < to; at += 4) {
    const mixed = hash ^ scramble(view.getInt32(at, true))
    hash = (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0
  }
  let tail = 0
  for (let last = to - 1; last >= at; last--) tail = (tail << 8) | view.getUint8(last)
  hash ^= scramble(tail) ^ (to - from)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

export function hashUserId(id: string): number {
  const bytes = Buffer.from(id)
  return hashUser(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length)
}

function scramble(word: number): number {
  const mixed = Math.imul(word, 0xcc9e2d51)
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593)
}
