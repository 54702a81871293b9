import { expect, test } from 'vitest'
import { type Evidence, reconcile, type SentAnswers } from '../../../src/bulk/send/reconcile.ts'
import { Multiset } from '../../../src/bulk/send/user-queue.ts'
import { skewMs } from '../../../src/bulk/service-clock.ts'
import type { Answer } from '../../../src/bulk/types.ts'
import fc from '../../helpers/fast-check.ts'

type Pair = { lookup_key: string; value: number }

const pair = fc.record({
  lookup_key: fc.constantFrom('height', 'weight', 'age'),
  value: fc.integer({ min: 1, max: 3 }),
})
const pairs = fc.array(pair, { maxLength: 8 })
const height = { lookup_key: 'height', value: 1 }
const taller = { lookup_key: 'height', value: 2 }
const weight = { lookup_key: 'weight', value: 1 }

const sentAt = 100_000
const limitsOf = () => ({ behindMs: skewMs, aheadMs: skewMs })
const steady = { hasReached: () => true, limitsOf, listsLate: false, listsHistory: true }

function answers(list: readonly Pair[]): Answer[] {
  const user = { kind: 'external_user_id' as const, id: 'u' }
  return list.map((one, row) => ({ ...one, row, line: row, offset: 0, user, timezone: 'UTC' }))
}

const sent = (list: readonly Pair[], more: Partial<SentAnswers> = {}): SentAnswers => ({
  answers: answers(list),
  at: sentAt,
  since: sentAt,
  saved: new Multiset(),
  unknown: new Multiset(),
  ...more,
})

const at = (list: readonly Pair[], time = sentAt) => list.map((one) => ({ ...one, at: time }))

const listing = (...listed: readonly { lookup_key: string; value: number; at: number }[][]) => ({
  usable: true as const,
  answers: listed.flat(),
})

const unprovenRows = ({ unproven }: Evidence) => unproven.flatMap(({ rows }) => rows)

const nothing: Evidence = { applied: [], missing: [], superseded: [], unproven: [] }

test('for any list of answers, the check of a lost request assigns exactly one state to each row', () => {
  fc.assert(
    fc.property(pairs, pairs, pairs, pairs, fc.boolean(), (list, listed, saved, unknown, hasRival) => {
      const known = { saved: new Multiset(saved), unknown: new Multiset(unknown) }
      const intent = sent(list, { ...known, doubt: hasRival ? 'another import' : undefined })
      const evidence = reconcile(intent, listing(at(listed)), steady)
      const { applied, missing, superseded } = evidence
      const all = [...applied, ...missing, ...superseded, ...unprovenRows(evidence)]
      expect(all.sort((a, b) => a - b)).toEqual([...list.keys()])
    }),
  )
})

test('a lost request counts as saved if its answers are in the list, and as missing if the list has only earlier answers', () => {
  fc.assert(
    fc.property(pairs, pairs, pairs, (list, earlier, old) => {
      const older = at(old, sentAt - skewMs - 1)
      const intent = sent(list, { saved: new Multiset(earlier) })
      const all = reconcile(intent, listing(older, at(earlier), at(list)), steady)
      expect(all).toEqual({ ...nothing, applied: [...list.keys()] })
      expect(reconcile(intent, listing(older, at(earlier)), steady)).toEqual({
        ...nothing,
        missing: [...list.keys()],
      })
    }),
  )
})

test('the last rows of a batch count as missing if only its first rows were saved', () => {
  fc.assert(
    fc.property(fc.uniqueArray(pair, { selector: ({ lookup_key }) => lookup_key }), fc.nat(8), (list, n) => {
      const { applied, missing } = reconcile(sent(list), listing(at(list.slice(0, n))), steady)
      expect(applied).toEqual([...list.keys()].slice(0, n))
      expect(missing).toEqual([...list.keys()].slice(n))
    }),
  )
})

test('if the list contains one answer for two identical rows, only one of the rows counts as saved', () => {
  const evidence = reconcile(sent([height, height]), listing(at([height], sentAt - skewMs)), steady)
  expect(evidence).toEqual({ ...nothing, applied: [0], missing: [1] })
})

test('if the clock of the service is not measured, the times in a list can be wrong by up to one day', () => {
  const dayMs = 86_400_000
  const unmeasured = { ...steady, limitsOf: () => undefined }
  const evidenceAt = (time: number) => reconcile(sent([height]), listing(at([taller], time)), unmeasured)
  expect(evidenceAt(sentAt - dayMs)).toEqual({ ...nothing, superseded: [0] })
  expect(evidenceAt(sentAt - dayMs - 1)).toEqual({ ...nothing, missing: [0] })
})

test.each([
  ['Asia/Tokyo', 'saved', { applied: [0] }],
  ['UTC', 'missing', { missing: [0] }],
])(
  'if only times in Asia/Tokyo are 5 s behind, a row in the time zone %s whose answer is 5 s too old counts as %s',
  (timezone, _, evidence) => {
    const clock = {
      ...steady,
      limitsOf: (zones: Iterable<string>) => ({
        behindMs: [...zones].includes('Asia/Tokyo') ? 5_000 : 0,
        aheadMs: 0,
      }),
    }
    const intent = { ...sent([height]), answers: answers([height]).map((one) => ({ ...one, timezone })) }
    expect(reconcile(intent, listing(at([height], sentAt - 5_000)), clock)).toEqual({
      ...nothing,
      ...evidence,
    })
  },
)

test('an answer counts as replaced if the list contains a later answer to the same question', () => {
  const evidence = reconcile(sent([height, weight, taller]), listing(at([taller])), steady)
  expect(evidence).toEqual({ ...nothing, applied: [2], missing: [1], superseded: [0] })
})

test.each([
  ['all saved answers', [height, taller, height], false],
  ['one saved answer too few', [height, taller], true],
  ['only an older answer to the question', [taller], true],
])(
  'a row that is not in the list counts as missing only if the list has all saved answers: the list has %s',
  (_, listed, isUnproven) => {
    const intent = sent([weight], { saved: new Multiset([height, height]) })
    const evidence = reconcile(intent, listing(at(listed)), steady)
    expect([evidence.missing, unprovenRows(evidence)]).toEqual(isUnproven ? [[], [0]] : [[0], []])
  },
)

test('if the list contains one answer for two identical rows, and one of the rows is unknown, the other row becomes unknown too', () => {
  const intent = sent([height], { unknown: new Multiset([height]) })
  expect(unprovenRows(reconcile(intent, listing(at([height])), steady))).toEqual([0])
  expect(reconcile(intent, listing(at([height, height])), steady).applied).toEqual([0])
  expect(reconcile(intent, listing(), steady).missing).toEqual([0])
})

test('the outcome of a row is unknown if its answer is in the list, but another command was saving answers for the user', () => {
  const intent = sent([height, weight], { doubt: 'another command was saving answers' })
  expect(reconcile(intent, listing(at([height])), steady)).toEqual({
    ...nothing,
    missing: [1],
    unproven: [{ rows: [0], why: 'another command was saving answers' }],
  })
})

test('the outcome of a row is unknown if the list of answers cannot be used or contains a time in the future', () => {
  const unusable = reconcile(sent([height]), { usable: false, why: 'the list was refused' }, steady)
  expect(unusable).toEqual({ ...nothing, unproven: [{ rows: [0], why: 'the list was refused' }] })
  const clock = { ...steady, hasReached: (time: number) => time <= sentAt }
  expect(reconcile(sent([height]), listing(at([height])), clock).applied).toEqual([0])
  expect(unprovenRows(reconcile(sent([height]), listing(at([height], sentAt + 1)), clock))).toEqual([0])
  expect(unprovenRows(reconcile(sent([height], { at: sentAt + 1 }), listing(), clock))).toEqual([0])
})

test('if the service lists only the latest answers, one answer does not prove that two identical rows were saved', () => {
  const clock = { ...steady, listsHistory: false }
  const evidence = reconcile(sent([height, height, weight]), listing(at([height])), clock)
  expect(evidence).toMatchObject({ applied: [0], missing: [2], unproven: [{ rows: [1] }] })
  const intent = sent([height], { saved: new Multiset([height]) })
  expect(unprovenRows(reconcile(intent, listing(at([height])), clock))).toEqual([0])
  expect(reconcile(intent, listing(at([height])), steady).missing).toEqual([0])
})
