import { deflateSync, inflateSync } from 'node:zlib'
import { hashUserId } from '../rows/user-hash.ts'
import type { UserRef } from '../types.ts'

/** A power of two. Few bits are set, so a compressed filter is small. */
const bitCount = 2 ** 21

/**
 * A set of users with one bit per user. If `has` returns false, the user is certainly not in the set. If it returns true, the user is
 * probably in the set.
 */
export class BloomFilter {
  readonly #bytes: Uint8Array
  /** Whether the file names some users by user_id. For such a user, another filter may contain the external user ID. */
  hasInternalIds: boolean

  constructor(bytes: Uint8Array = new Uint8Array(bitCount / 8), hasInternalIds = false) {
    this.#bytes = bytes
    this.hasInternalIds = hasInternalIds
  }

  static parse(text: string, hasInternalIds: boolean): BloomFilter {
    return new BloomFilter(inflateSync(Buffer.from(text, 'base64')), hasInternalIds)
  }

  toString(): string {
    return deflateSync(this.#bytes, { level: 1 }).toString('base64')
  }

  add(hash: number, isInternalId: boolean): void {
    const bit = hash & (bitCount - 1)
    this.#bytes[bit >> 3] = (this.#bytes[bit >> 3] as number) | (1 << (bit & 7))
    this.hasInternalIds ||= isInternalId
  }

  has({ kind, id }: UserRef): boolean {
    if (this.hasInternalIds || kind === 'user_id') return true
    const bit = hashUserId(id) & (bitCount - 1)
    return ((this.#bytes[bit >> 3] as number) & (1 << (bit & 7))) !== 0
  }

  /** Whether both filters may contain the same user. */
  overlaps(other: BloomFilter): boolean {
    if (this.hasInternalIds || other.hasInternalIds) return true
    return this.#bytes.some((byte, at) => (byte & (other.#bytes[at] as number)) !== 0)
  }
}
