import { describe, expect, it } from 'vitest'
import { ByteNames } from '../../../src/bulk/rows/byte-names.ts'
import { allocate } from '../../../src/bulk/scan/memory.ts'

/** Looks for a name in the middle of other bytes. */
function find(names: ByteNames, name: string): number {
  const length = Buffer.byteLength(name)
  const { bytes, view } = allocate(length + 2)
  bytes.fill('x').write(name, 1)
  return names.find(view, 1, length + 1)
}

describe('names by their bytes', () => {
  it('keep their numbers as more and longer names are added', () => {
    const names = new ByteNames()
    const spellings = Array.from({ length: 3000 }, (_, index) => `${'é'.repeat(index % 40)}${index}`)
    for (const [number, spelling] of spellings.entries()) names.add(spelling, number)
    expect(names.size).toBe(3000)
    expect(spellings.map((spelling) => find(names, spelling))).toEqual(spellings.map((_, number) => number))
  })

  it('are found whole only, and one number may have two spellings', () => {
    const names = new ByteNames()
    names.add('Europe/Kiev', 3)
    names.add('Europe/Kyiv', 3)
    names.add('', 5)
    expect(['Europe/Kiev', 'Europe/Kyiv', ''].map((name) => find(names, name))).toEqual([3, 3, 5])
    expect(['Europe/Kie', 'europe/Kiev', 'Europe/Kievx', '\0'].map((name) => find(names, name))).toEqual([
      -1, -1, -1, -1,
    ])
  })
})
