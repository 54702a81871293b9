/** The part of an input's users that one process imports. */
export interface Shard {
  /** 0-based. */
  index: number
  count: number
}

/**
 * The shard of a user, from the upper bits of the pinned hash: partitions of the spool go by the lower ones, and would be
 * empty or full otherwise.
 */
export function shardOf(userHash: number, count: number): number {
  return Math.floor((userHash * count) / 2 ** 32)
}

export function ownsUser(shard: Shard | undefined, userHash: number): boolean {
  return shard === undefined || shardOf(userHash, shard.count) === shard.index
}

/** `3/16`, 1-based. */
export function describeShard({ index, count }: Shard): string {
  return `${index + 1}/${count}`
}

/** What sets the files of a shard apart from those of the others in the same folder: `.3-of-16`. */
export function shardSuffix(shard: Shard | undefined): string {
  return shard ? `.${shard.index + 1}-of-${shard.count}` : ''
}
