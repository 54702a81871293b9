import { hashUserId } from '../rows/user-hash.ts'

interface User {
  kind: 'external_user_id' | 'user_id'
  id: string
}

const fewestBits = 2 ** 13
const mostBits = 2 ** 21
const bitsPerUser = 16

/** Stores one bit per user. `has` returns false (certain) or true (probable). */
export class UserFilter {
  /** The number of bits is a power of two. */
  readonly bytes: Uint8Array
  /** Whether some users are named by user_id. Other filters may contain the same person by another ID. */
  hasInternalIds: boolean

  constructor(bytes: Uint8Array = new Uint8Array(mostBits / 8), hasInternalIds = false) {
    this.bytes = bytes
    this.hasInternalIds = hasInternalIds
  }

  static of(users: readonly User[]): UserFilter {
    const filter = new UserFilter(new Uint8Array(fewestBits / 8))
    for (const user of users) filter.add(hashUserId(user.id), user.kind === 'user_id')
    return filter
  }

  add(hash: number, isInternalId: boolean): void {
    const bit = hash & (this.bytes.length * 8 - 1)
    this.bytes[bit >> 3] = (this.bytes[bit >> 3] as number) | (1 << (bit & 7))
    this.hasInternalIds ||= isInternalId
  }

  has(user: User): boolean {
    if (this.hasInternalIds || user.kind === 'user_id') return true
    const bit = hashUserId(user.id) & (this.bytes.length * 8 - 1)
    return ((this.bytes[bit >> 3] as number) & (1 << (bit & 7))) !== 0
  }

  /** Whether both may contain the same person. */
  overlaps(other: UserFilter): boolean {
    if (this.hasInternalIds || other.hasInternalIds) return true
    const length = Math.min(this.bytes.length, other.bytes.length)
    const [own, others] = [fold(this.bytes, length), fold(other.bytes, length)]
    return own.some((byte, at) => (byte & (others[at] as number)) !== 0)
  }

  /** The same filter with the size for this number of users. */
  forUsers(count: number): UserFilter {
    let bits = fewestBits
    while (bits < mostBits && bits < count * bitsPerUser) bits *= 2
    return new UserFilter(fold(this.bytes, bits / 8), this.hasInternalIds)
  }
}

/** Positions are the low bits of a hash, so that a smaller filter keeps all users. */
function fold(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length === length) return bytes
  const folded = new Uint8Array(length)
  for (let at = 0; at < bytes.length; at++) {
    folded[at & (length - 1)] = (folded[at & (length - 1)] as number) | (bytes[at] as number)
  }
  return folded
}
