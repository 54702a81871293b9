import { describe, expect, it } from 'vitest'
import { hashUser } from '../../../src/bulk/rows/user-hash.ts'

const hash = (text: string) => {
  const bytes = Buffer.from(`<${text}>`)
  return hashUser(new DataView(bytes.buffer, bytes.byteOffset), 1, bytes.length - 1)
}

describe('the hash of a user', () => {
  it('the hash of a user ID is MurmurHash3 with 32 bits and seed 0', () => {
    expect(hash('')).toBe(0)
    expect(hash('test')).toBe(0xba6bd213)
    expect(hash('Hello, world!')).toBe(0xc0363e43)
    expect(hash('The quick brown fox jumps over the lazy dog')).toBe(0x2e4ff723)
  })
})
