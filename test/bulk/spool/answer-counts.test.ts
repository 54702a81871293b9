import { expect, test } from 'vitest'
import { AnswerCounts } from '../../../src/bulk/spool/answer-counts.ts'

/** Counts the answers of users. Here, an answer is only an index of its lookup key and a line number. */
function count(batchSize: number, ...users: (readonly [key: number, line: number])[][]): AnswerCounts {
  const counts = new AnswerCounts(batchSize)
  for (const answers of users) {
    for (const [at, [key, line]] of answers.entries()) counts.add(key, line, at === 0)
  }
  return counts
}

const keys = ['height', 'weight']
/** Answers of one user with different lookup keys. */
const different = (many: number) => Array.from({ length: many }, (_, key) => [key, key + 2] as const)

test.each([
  [1, 1, 1],
  [2, 1, 1],
  [3, 2, 2],
  [5, 3, 3],
])(
  '%i answers of a user are sent in %i requests if a request contains two answers',
  (many, requests, most) => {
    expect(count(2, different(many))).toMatchObject({ users: 1, requests, mostRequestsOfOneUser: most })
  },
)

test('an import counts the requests for the user who has the most requests', () => {
  const counts = count(2, different(1), different(5), different(2), different(3))
  expect(counts).toMatchObject({ users: 4, requests: 7, mostRequestsOfOneUser: 3 })
  expect(counts.repeats(keys)).toEqual({ rows: 0, examples: [] })
})

test('a second answer of a user to the same question counts as a repeat of the first answer', () => {
  const counts = count(
    9,
    [
      [0, 2],
      [1, 3],
      [0, 5],
      [0, 9],
    ],
    [
      [0, 4],
      [1, 6],
      [1, 7],
    ],
  )
  expect(counts.repeats(keys)).toEqual({
    rows: 3,
    examples: [
      { lookup_key: 'height', line: 5, first_line: 2 },
      { lookup_key: 'weight', line: 7, first_line: 6 },
      { lookup_key: 'height', line: 9, first_line: 2 },
    ],
  })
})

test('the examples of repeated answers are the 20 repeats with the lowest line numbers', () => {
  const lines = Array.from({ length: 30 }, (_, n) => [0, 100 - n] as const)
  const { rows, examples } = count(
    99,
    [[0, 1], ...lines],
    [
      [0, 2],
      [0, 3],
    ],
  ).repeats(keys)
  expect(rows).toBe(31)
  expect(examples.map(({ line }) => line)).toEqual([3, ...Array.from({ length: 19 }, (_, n) => n + 71)])
})
