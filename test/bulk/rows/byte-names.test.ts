import { expect, test } from 'vitest'
import { ByteNames } from '../../../src/bulk/rows/byte-names.ts'
import { Cells } from '../../../src/bulk/scan/cells.ts'

/** Looks up a name that has other bytes before and after it. */
function find(names: ByteNames, name: string): number | undefined {
  const length = Buffer.byteLength(name)
  const cells = new Cells()
  cells.resize(length + 2)
  cells.bytes.fill('x').write(name, 1)
  cells.starts[0] = 1
  cells.ends[0] = length + 1
  return names.find(cells, 0)
}

test('names that end with the same bytes, such as a_sleep_hours and sleep_hours, are distinguished', () => {
  const names = new ByteNames()
  const spellings = ['a_sleep_hours', 'b_sleep_hours', 'é_sleep_hours', 'sleep_hours', 'p_hours', 'a', '']
  for (const [number, spelling] of spellings.entries()) names.add(spelling, number)
  expect(spellings.map((spelling) => find(names, spelling))).toEqual(spellings.map((_, number) => number))
  expect(names.size).toBe(spellings.length)
})

test('a name such as Europe/Kiev is found only if all of its bytes match', () => {
  const names = new ByteNames()
  names.add('Europe/Kiev', 3)
  names.add('Europe/Kyiv', 3)
  expect(['Europe/Kiev', 'Europe/Kyiv'].map((name) => find(names, name))).toEqual([3, 3])
  for (const other of ['Europe/Kie', 'europe/Kiev', 'Europe/Kievx', '\0', '']) {
    expect(find(names, other)).toBeUndefined()
  }
})
