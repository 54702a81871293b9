/** The users that one process imports. */
export interface Shard {
  /** Index starting at 0. */
  index: number
  count: number
}

/** The shard of a user, from the upper bits of the hash, because the partitions of the temporary file use the lower bits. */
export function shardOf(userHash: number, count: number): number {
  return Math.floor((userHash * count) / 2 ** 32)
}

export function ownsUser(shard: Shard | undefined, userHash: number): boolean {
  return shard === undefined || shardOf(userHash, shard.count) === shard.index
}

/** A shard as text, starting at 1: `3/16`. */
export function describeShard({ index, count }: Shard): string {
  return `${index + 1}/${count}`
}

/** The part of a file name for a shard, such as `3-of-16`. The files of all shards can therefore be in one directory. */
export function shardName({ index, count }: Shard): string {
  return `${index + 1}-of-${count}`
}

/** One shard's part of the maximum rate. All shards together must not exceed the maximum rate. */
export function rateOfShard(rate: number | undefined, shard: Shard | undefined): number | undefined {
  return rate && rate / (shard?.count ?? 1)
}
