import { expect, test } from 'vitest'
import { hashUserId } from '../../src/bulk/rows/user-hash.ts'
import { ownsUser, shardOf } from '../../src/bulk/shard.ts'
import fc from '../helpers/fast-check.ts'

function hashOf(id: string): number {
  return hashUserId(id)
}

test('every user belongs to exactly one shard for any number of shards', () => {
  const anyHash = fc.integer({ min: 0, max: 2 ** 32 - 1 })
  fc.assert(
    fc.property(anyHash, fc.integer({ min: 1, max: 200 }), (hash, count) => {
      const shards = Array.from({ length: count }, (_, index) => ({ index, count }))
      expect(shards.filter((shard) => ownsUser(shard, hash))).toHaveLength(1)
    }),
  )
})

test('the shard of a user is the same in all versions and on all machines', () => {
  const shards = ['4711', 'patient-1', 'patient-2', 'Zoë', '5151d12e-2f9a-4d7a-962f-fd85d23bd68b'].map((id) =>
    shardOf(hashOf(id), 16),
  )
  expect(shards).toEqual([4, 14, 11, 8, 1])
})

test('shards have about the same number of users', () => {
  const sizes = new Array<number>(16).fill(0)
  for (let user = 0; user < 16_000; user++) sizes[shardOf(hashOf(`user-${user}`), 16)]! += 1
  expect(Math.min(...sizes)).toBeGreaterThan(900)
  expect(Math.max(...sizes)).toBeLessThan(1_100)
})
