import { expect, test } from 'vitest'
import { compareAnswer, type ImportTimes } from '../../src/bulk/verify.ts'

const minute = 60_000
const startedAt = Date.parse('2030-01-01T10:00:00Z')
const times: ImportTimes = {
  startedAt,
  endedAt: startedAt + 10 * minute,
  limits: { behindMs: 0, aheadMs: 5 * minute },
}

/** Listed answers. The time of each answer is in minutes after the start of the import. */
function listing(...answers: [key: string, value: number, minutes: number][]) {
  return answers.map(([lookup_key, value, minutes]) => ({
    lookup_key,
    value,
    at: startedAt + minutes * minute,
  }))
}

const wanted = { lookup_key: 'height', value: 170 }

test.each([
  ['saved', 'the newest answer is equal', listing(['height', 180, -60], ['height', 170, 1])],
  [
    'saved',
    'one of two newest answers with equal times is equal',
    listing(['height', 180, 1], ['height', 170, 1]),
  ],
  ['saved', 'an equal answer is newer than the import', listing(['height', 170, 90])],
  ['missing', 'the question has no answer', listing(['weight', 170, 1])],
  ['different', 'another answer is older than the import', listing(['height', 180, -60])],
  [
    'different',
    'the equal answer is older than the import',
    listing(['height', 170, -60], ['height', 180, -30]),
  ],
  ['different', 'another answer has a time during the import', listing(['height', 180, 5])],
  ['changed', 'another answer follows the imported answer', listing(['height', 170, 1], ['height', 180, 2])],
  ['changed', 'another answer is newer than the import', listing(['height', 180, 90])],
])('a comparison reports an imported answer as "%s" if %s', (finding, _, listed) => {
  expect(compareAnswer(wanted, listed, times)).toBe(finding)
})

test('a newer different answer is reported as "different" if the clock of the service was not measured', () => {
  const newer = listing(['height', 170, 1], ['height', 180, 90])
  expect(compareAnswer(wanted, newer, { ...times, limits: undefined })).toBe('different')
})

test('a different answer is reported as "changed" only if its time is certainly after the import', () => {
  const newer = listing(['height', 180, 12])
  const found = (aheadMs: number) =>
    compareAnswer(wanted, newer, { ...times, limits: { behindMs: 0, aheadMs } })
  expect([found(minute), found(3 * minute)]).toEqual(['changed', 'different'])
})
