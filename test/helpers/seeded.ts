import { createHash } from 'node:crypto'

/** Random numbers in [0, 1). The same seed produces the same numbers. */
export function seededRandom(seed: number | string): () => number {
  let count = 0
  return () => {
    const digest = createHash('sha256').update(`${seed} ${count++}`).digest()
    return digest.readUIntBE(0, 6) / 2 ** 48
  }
}
