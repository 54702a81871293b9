import { describe, expect, test } from 'vitest'
import { Multiset, UserQueue } from '../../../src/bulk/send/user-queue.ts'
import { confusableMs, ServiceClock, skewMs } from '../../../src/bulk/service-clock.ts'
import { fakeClock } from '../../helpers/clock.ts'

const user = { kind: 'external_user_id' as const, id: 'u' }
const intent = (batch: number, at: number, since?: number) => ({
  type: 'INTENT' as const,
  batch,
  rows: 1,
  at,
  since,
})
const answer = { row: 0, line: 1, offset: 0, user, lookup_key: 'height', value: 1, timezone: 'UTC' }

test("the check of a user's first batch ignores answers from before this batch", () => {
  expect(new UserQueue(user).chainAt(0, 7, confusableMs)).toEqual({})
})

test('the check of a batch also compares earlier answers of the same user, unless a long pause separates them from the batch', () => {
  const queue = new UserQueue(user)
  queue.add(7, intent(7, 100), [answer], 150)
  expect(queue.chainAt(200, 8, confusableMs)).toEqual({ chain: 1, since: 100 })
  queue.add(8, intent(8, 200, 100), [answer], 250)
  expect(queue.chainAt(300, 9, confusableMs)).toEqual({ chain: 2, since: 100 })
  const saved = queue.savedSince({ since: 100 })
  expect(saved.take(answer) && saved.take(answer)).toBe(true)
  expect(queue.chainAt(250 + confusableMs + 1, 9, confusableMs)).toEqual({})
  expect(queue.savedSince({ since: 100 }).take(answer)).toBe(false)
})

test('in a resumed import, the check of a batch includes recent batches of the first run', () => {
  const queue = new UserQueue(user)
  queue.add(5, undefined, [answer])
  queue.add(6, intent(6, 500, 300), [answer], 520)
  expect(queue.chainAt(600, 7, confusableMs)).toEqual({ chain: 2, since: 300 })
})

test('if the service may still save an answer, all later checks of the user consider this answer', () => {
  const queue = new UserQueue(user)
  queue.addUnknown([answer], Number.POSITIVE_INFINITY)
  queue.addUnknown([{ ...answer, value: 2 }], 100)
  expect(queue.unknownSince(200 + confusableMs, confusableMs).has(answer)).toBe(true)
})

test('an answer with an unknown outcome is included in later checks of the same user, but only for a limited time', () => {
  const queue = new UserQueue(user)
  queue.addUnknown([answer], 100)
  const isCompared = (since: number) => queue.unknownSince(since, confusableMs).has(answer)
  expect([isCompared(100 + confusableMs), isCompared(101 + confusableMs)]).toEqual([true, false])
})

test('the estimated clock of the service is never ahead of its Date headers', async () => {
  const clock = fakeClock(Date.parse('2026-01-01T00:00:00Z'))
  const service = new ServiceClock(clock)
  expect(service.isKnown).toBe(false)
  service.observe('nonsense')
  expect(service.isKnown).toBe(false)
  service.observe('Thu, 01 Jan 2026 00:10:00 GMT')
  expect(new Date(service.now()).toISOString()).toBe('2026-01-01T00:10:00.000Z')
  await clock.advance(900)
  service.observe('Thu, 01 Jan 2026 00:10:00 GMT')
  expect(new Date(service.now()).toISOString()).toBe('2026-01-01T00:10:00.900Z')
  await clock.advance(50)
  service.observe('Thu, 01 Jan 2026 00:10:01 GMT')
  expect(new Date(service.now()).toISOString()).toBe('2026-01-01T00:10:01.000Z')
})

test('the estimated clock of the service does not change if the clock of this machine changes', () => {
  let now = Date.parse('2026-01-01T00:00:00Z')
  const { monotonic, sleep } = fakeClock(now)
  const service = new ServiceClock({ now: () => now, monotonic, sleep })
  service.observe('Thu, 01 Jan 2026 00:10:00 GMT')
  now += 3_600_000
  expect(new Date(service.now()).toISOString()).toBe('2026-01-01T00:10:00.000Z')
})

test('the estimated clock of the service is not used after the service set its clock back', async () => {
  const clock = fakeClock(Date.parse('2026-01-01T00:00:00Z'))
  const service = new ServiceClock(clock)
  service.observe('Thu, 01 Jan 2026 00:10:00 GMT', 10)
  const at = service.now()
  expect([service.hasReached(at + skewMs), service.hasReached(at + skewMs + 1)]).toEqual([true, false])
  service.observe('Thu, 01 Jan 2026 00:00:00 GMT')
  service.observe('Thu, 01 Jan 2026 00:09:57 GMT', 10)
  expect(service.hasReached(at)).toBe(true)
  await clock.advance(9_000)
  service.observe('Thu, 01 Jan 2026 00:10:02 GMT', 4_000)
  expect(service.hasReached(at)).toBe(true)
  service.observe('Thu, 01 Jan 2026 00:10:02 GMT', 3_900)
  expect(service.hasReached(at)).toBe(false)
})

describe('a multiset of answers', () => {
  const height = { lookup_key: 'height', value: 1 }
  const taller = { lookup_key: 'height', value: 2 }
  const weight = { lookup_key: 'weight', value: 1 }

  test('an answer that was added to a multiset twice can be taken twice', () => {
    const answers = new Multiset([height, height, weight])
    expect([1, 2, 3].map(() => answers.take(height))).toEqual([true, true, false])
    expect([height, weight, taller].map((answer) => answers.has(answer))).toEqual([false, true, false])
  })

  test('a multiset covers another multiset if it contains each answer of the other at least as often', () => {
    const answers = new Multiset([height, height, weight])
    const covers = (...others: (typeof height)[]) => answers.covers(new Multiset(others))
    expect([covers(), covers(height), covers(height, height), covers(weight, height)]).toEqual(
      Array(4).fill(true),
    )
    expect([covers(height, height, height), covers(weight, taller)]).toEqual([false, false])
  })

  test('if more copies of an answer are subtracted than a multiset contains, the count becomes zero', () => {
    const answers = new Multiset([height, weight, weight])
    answers.subtract(new Multiset([height, height, weight, taller]))
    answers.add(height)
    answers.add(taller)
    expect([height, height, weight, weight, taller, taller].map((answer) => answers.take(answer))).toEqual([
      true,
      false,
      true,
      false,
      true,
      false,
    ])
  })

  test('a multiset of questions has one count for all answers to the same question, even if their values differ', () => {
    const questions = new Multiset([height, taller, { lookup_key: 'a b', value: -7 }]).questions()
    const zero = (lookup_key: string) => ({ lookup_key, value: 0 })
    expect([1, 2, 3].map(() => questions.take(zero('height')))).toEqual([true, true, false])
    expect([questions.take(zero('a b')), questions.has(zero('weight'))]).toEqual([true, false])
  })
})
