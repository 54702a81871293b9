import { expect, test } from 'vitest'
import { compare } from '../../../src/bulk/send/reconcile.ts'
import { Tally } from '../../../src/bulk/send/tally.ts'
import type { Answer } from '../../../src/bulk/types.ts'
import fc from '../../helpers/fast-check.ts'

type Pair = { lookup_key: string; value: number }

const pair = fc.record({
  lookup_key: fc.constantFrom('height', 'weight', 'age'),
  value: fc.integer({ min: 1, max: 3 }),
})
const pairs = fc.array(pair, { maxLength: 8 })

function answers(list: readonly Pair[]): Answer[] {
  const user = { kind: 'external_user_id' as const, id: 'u' }
  return list.map((one, row) => ({ ...one, row, line: row, offset: 0, user, timezone: 'UTC' }))
}

function tally(list: readonly Pair[]): Tally {
  const counted = new Tally()
  for (const one of list) counted.add(one)
  return counted
}

const at = (list: readonly Pair[], time: number) => list.map((one) => ({ ...one, at: time }))

test('each row is applied, missing or unprovable, whatever is listed', () => {
  fc.assert(
    fc.property(pairs, pairs, pairs, (sent, listed, earlier) => {
      const { applied, missing, unprovable } = compare(answers(sent), at(listed, 10), 5, tally(earlier))
      expect([...applied, ...missing, ...unprovable].sort((a, b) => a - b)).toEqual([...sent.keys()])
    }),
  )
})

test('a list of everything earlier and everything sent proves all of it, old answers prove none', () => {
  fc.assert(
    fc.property(pairs, pairs, pairs, (sent, earlier, old) => {
      const listed = [...at(old, 1), ...at(earlier, 10), ...at(sent, 10)]
      expect(compare(answers(sent), listed, 5, tally(earlier)).missing).toEqual([])
      expect(compare(answers(sent), listed, 5, tally(earlier)).unprovable).toEqual([])
      expect(compare(answers(sent), [...at(old, 1), ...at(earlier, 10)], 5, tally(earlier)).applied).toEqual(
        [],
      )
    }),
  )
})

test('when the service took a beginning of the batch, exactly the rest is missing', () => {
  fc.assert(
    fc.property(fc.uniqueArray(pair, { selector: ({ lookup_key }) => lookup_key }), fc.nat(8), (sent, n) => {
      const { applied, missing } = compare(answers(sent), at(sent.slice(0, n), 10), 5, new Tally())
      expect(applied).toEqual([...sent.keys()].slice(0, n))
      expect(missing).toEqual([...sent.keys()].slice(n))
    }),
  )
})

test('an answer that is listed once proves one of two that say the same', () => {
  const height = { lookup_key: 'height', value: 1 }
  const found = compare(answers([height, height]), at([height], 5), 5, new Tally())
  expect(found).toEqual({ applied: [0], missing: [1], unprovable: [], isWhole: true })
  const none = compare(answers([height]), at([height], 4), 5, new Tally())
  expect(none).toEqual({ applied: [], missing: [0], unprovable: [], isWhole: true })
})

test('a list is whole only when it holds all that was saved before, each as often', () => {
  const [one, two] = [1, 2].map((value) => ({ lookup_key: 'height', value })) as [Pair, Pair]
  const isWhole = (listed: readonly Pair[], earlier: readonly Pair[]) =>
    compare(answers([two]), at(listed, 5), 5, tally(earlier)).isWhole
  expect(isWhole([one, two, one], [one, one])).toBe(true)
  expect(isWhole([one, two], [one, one])).toBe(false)
  expect(isWhole([two], [one])).toBe(false)
  expect(compare(answers([two]), at([one], 4), 5, tally([one])).isWhole).toBe(false)
})
