/** MurmurHash3 (x86, 32 bits, seed 0). The hash determines the partition and the shard of a user, so it must never change. */
export function hashUser(view: DataView, from: number, to: number): number {
  let hash = 0
  let at = from
  for (; at + 3 < to; at += 4) hash = mixBlock(hash, view.getInt32(at, true))
  let tail = 0
  for (let last = to - 1; last >= at; last--) tail = (tail << 8) | view.getUint8(last)
  return finalize(hash ^ scramble(tail) ^ (to - from))
}

export function hashUserId(id: string): number {
  const bytes = Buffer.from(id)
  return hashUser(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length)
}

function scramble(word: number): number {
  const mixed = Math.imul(word, 0xcc9e2d51)
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593)
}

function mixBlock(hash: number, word: number): number {
  const mixed = hash ^ scramble(word)
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0
}

function finalize(hash: number): number {
  let mixed = hash
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
