import { expect, test } from 'vitest'
import { compareAnswer, type ImportTimes } from '../../src/bulk/verify.ts'

const minute = 60_000
const startedAt = Date.parse('2030-01-01T10:00:00Z')
const times: ImportTimes = {
  startedAt,
  endedAt: startedAt + 10 * minute,
  limits: { behindMs: 0, aheadMs: 5 * minute },
}

/** The list of answers that a service returns. The time of each answer is in minutes after the start of the import. */
function listing(...answers: [key: string, value: number, minutes: number][]) {
  return answers.map(([lookup_key, value, minutes]) => ({
    lookup_key,
    value,
    at: startedAt + minutes * minute,
  }))
}

const wanted = { lookup_key: 'height', value: 170 }

test.each([
  ['saved', 'the newest answer has the imported value', listing(['height', 180, -60], ['height', 170, 1])],
  [
    'saved',
    'the two newest answers have the same time, and one has the imported value',
    listing(['height', 180, 1], ['height', 170, 1]),
  ],
  ['saved', 'an answer with the imported value is newer than the import', listing(['height', 170, 90])],
  ['missing', 'the question has no answer', listing(['weight', 170, 1])],
  [
    'different',
    'the only answer has another value and is older than the import',
    listing(['height', 180, -60]),
  ],
  [
    'different',
    'the answer with the imported value is older than the import',
    listing(['height', 170, -60], ['height', 180, -30]),
  ],
  ['different', 'an answer with another value was saved during the import', listing(['height', 180, 5])],
  [
    'changed',
    'an answer with another value follows the imported answer',
    listing(['height', 170, 1], ['height', 180, 2]),
  ],
  ['changed', 'an answer with another value is newer than the import', listing(['height', 180, 90])],
])('a comparison reports an imported answer as "%s" if %s', (finding, _, listed) => {
  expect(compareAnswer(wanted, listed, times)).toBe(finding)
})

test('if the clock of the service was not measured, a later answer with another value is not reported as "changed"', () => {
  const newer = listing(['height', 170, 1], ['height', 180, 90])
  expect(compareAnswer(wanted, newer, { ...times, limits: undefined })).toBe('different')
})

test('an answer with another value is reported as "changed" only if it was certainly saved after the import', () => {
  const newer = listing(['height', 180, 12])
  const found = (aheadMs: number) =>
    compareAnswer(wanted, newer, { ...times, limits: { behindMs: 0, aheadMs } })
  expect([found(minute), found(3 * minute)]).toEqual(['changed', 'different'])
})
