import { createHash } from 'node:crypto'

/** Random numbers in [0, 1) that are the same for the same seed. */
export function seededRandom(seed: number | string): () => number {
  let count = 0
  return () => {
    const digest = createHash('sha256').update(`${seed} ${count++}`).digest()
    return digest.readUIntBE(0, 6) / 2 ** 48
  }
}
