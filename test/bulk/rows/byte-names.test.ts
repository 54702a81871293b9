import { describe, expect, it } from 'vitest'
import { ByteNames } from '../../../src/bulk/rows/byte-names.ts'
import { allocate } from '../../../src/bulk/scan/memory.ts'

/** Looks for a name that is surrounded by other bytes. */
function find(names: ByteNames, name: string): number {
  const length = Buffer.byteLength(name)
  const { bytes, view } = allocate(length + 2)
  bytes.fill('x').write(name, 1)
  return names.find(view, 1, length + 1)
}

describe('names by their bytes', () => {
  it('keep their numbers when more and longer names are added', () => {
    const names = new ByteNames()
    const spellings = Array.from({ length: 3000 }, (_, index) => `${'é'.repeat(index % 40)}${index}`)
    for (const [number, spelling] of spellings.entries()) names.add(spelling, number)
    expect(names.size).toBe(3000)
    expect(spellings.map((spelling) => find(names, spelling))).toEqual(spellings.map((_, number) => number))
  })

  it('a name is found only as a complete word, and two spellings may share a number', () => {
    const names = new ByteNames()
    names.add('Europe/Kiev', 3)
    names.add('Europe/Kyiv', 3)
    names.add('', 5)
    expect(['Europe/Kiev', 'Europe/Kyiv', ''].map((name) => find(names, name))).toEqual([3, 3, 5])
    expect(['Europe/Kie', 'europe/Kiev', 'Europe/Kievx', '\0'].map((name) => find(names, name))).toEqual([
      -1, -1, -1, -1,
    ])
  })

  it('a name is not confused with longer names in the same slot', () => {
    const names = new ByteNames()
    for (let length = 2; length <= 200; length += 2) names.add('a'.repeat(length), length)
    const lengths = Array.from({ length: 200 }, (_, index) => index + 1)
    expect(lengths.map((length) => find(names, 'a'.repeat(length)))).toEqual(
      lengths.map((length) => (length % 2 === 0 ? length : -1)),
    )
  })

  it('keep the first name when others are added', () => {
    const spellings = Array.from({ length: 120 }, (_, index) => `name${index}`)
    for (const [first, spelling] of spellings.entries()) {
      const names = new ByteNames()
      for (const name of [...spellings.slice(first), ...spellings.slice(0, first)]) names.add(name, first)
      expect(find(names, spelling)).toBe(first)
    }
  })
})
