import { describe, expect, test } from 'vitest'
import type { ListItem } from '../../../src/bulk/lists/read-list.ts'
import { RepeatedRows, resultSharing } from '../../../src/bulk/lists/repeated-rows.ts'
import type { Table } from '../../../src/bulk/rows/table.ts'

type Rules = ConstructorParameters<typeof RepeatedRows>[1]

/** Parses rows in the form `user sex language`. A dash stands for an empty cell. The first row is on line 2. */
function itemsOf(rows: readonly string[], expectedUserId?: string): ListItem[] {
  return rows.map((text, row) => {
    const [id = '', sex = '-', language = '-'] = text.split(' ')
    const cells: Readonly<Record<string, string>> = { sex, language }
    const cell = (name: string) => (cells[name] ?? '-').replace('-', '')
    const user = { kind: 'external_user_id' as const, id }
    const expected = expectedUserId === undefined || row === 0 ? {} : { expectedUserId }
    return { row, line: row + 2, offset: 0, user, problems: [], cell, ...expected }
  })
}

/** Adds all rows, as a command does before it sends a request. */
function read(items: readonly ListItem[], rules: Partial<Rules> = {}, format: Table['format'] = 'csv') {
  const layout = { keyColumns: [{ key: 'sex', column: 1 }] }
  const repeats = new RepeatedRows({ format, layout } as unknown as Table, {
    data: ['sex', 'language'],
    ...rules,
  })
  for (const item of items) repeats.add(item)
  const counts = { users: items.length, invalid: 0 }
  const conflicts = repeats.compare(counts)
  const firsts = items.map((item) => repeats.firstOf(item)?.line)
  return { repeats, counts, conflicts, firsts, omitted: items.map((item) => repeats.isOmitted(item)) }
}

describe('rows with the same user', () => {
  test('a user with several different rows counts once', () => {
    const { repeats } = read(itemsOf(['a -', 'a F', 'b F', 'a M', 'c -', 'c -']))
    expect(repeats.users).toBe(3)
  })

  test('a user whose rows have different data is not in the number of users that "users create" shows', () => {
    const { repeats } = read(itemsOf(['a F', 'a M', 'b F', 'b F', 'c -']), { isCreation: true })
    expect(repeats.users).toBe(2)
  })

  test('"users create" counts a row as a repetition if it is identical to an earlier row', () => {
    const { repeats, counts, conflicts, firsts, omitted } = read(itemsOf(['a F', 'b F', 'a F', 'a F']), {
      isCreation: true,
    })
    expect([repeats.equal, conflicts, firsts]).toEqual([2, [], [2, undefined, 2, 2]])
    expect(repeats.firstOf(itemsOf(['a F'])[0] as ListItem)).toEqual({ line: 2, rows: 3 })
    expect([counts, omitted]).toEqual([{ users: 4, invalid: 0 }, [false, false, false, false]])
  })

  test('an output that has one row per user omits a row that is identical to an earlier row', () => {
    const { counts, omitted } = read(itemsOf(['a F', 'b F', 'a F']), { isPerUser: true })
    expect([counts, omitted]).toEqual([{ users: 2, invalid: 0 }, [false, false, true]])
  })

  test('"users create" rejects all rows of a user whose rows have different data', () => {
    const { repeats, counts, conflicts, firsts } = read(itemsOf(['a F', 'a M', 'a F', 'b F', 'a -']), {
      isCreation: true,
      isPerUser: true,
    })
    expect(conflicts).toEqual([
      { line: 3, first: 2 },
      { line: 6, first: 2 },
    ])
    expect([[...repeats.conflicts], repeats.equal]).toEqual([['a'], 0])
    expect(counts).toEqual({ users: 1, invalid: 4 })
    expect(firsts).toEqual([undefined, undefined, undefined, undefined, undefined])
  })

  test('if the rows of one user conflict, identical rows of another user still count as repetitions', () => {
    const items = itemsOf(['a F', 'a M', 'a F', 'b F', 'b F'])
    const { repeats, counts, firsts } = read(items, { isCreation: true, isPerUser: true })
    expect([repeats.equal, counts]).toEqual([1, { users: 1, invalid: 3 }])
    expect(firsts).toEqual([undefined, undefined, undefined, 5, 5])
  })

  test('"users update" sends rows with different data separately, and counts identical rows as repetitions', () => {
    const { repeats, conflicts, firsts } = read(itemsOf(['a F', 'a M', 'a F']))
    expect([repeats.equal, conflicts, firsts]).toEqual([1, [], [2, undefined, 2]])
  })

  test('"users delete" counts rows with the same user as repetitions, even if their other data differs', () => {
    const { repeats, firsts } = read(itemsOf(['a F', 'b F', 'a M']), { data: [] })
    expect([repeats.equal, firsts]).toEqual([1, [2, undefined, 2]])
  })

  test.each([
    ['csv', 'columns that are missing in the header are not compared', 1],
    ['jsonl', 'keys that are missing in the first line are compared', 0],
  ] as const)(
    'the format of a list determines which fields of repeated rows are compared (%s: %s)',
    (format, _, equal) => {
      expect(read(itemsOf(['a F en', 'a F nl']), {}, format).repeats.equal).toBe(equal)
    },
  )

  test('"users create" rejects rows with the same external user ID and different user IDs', () => {
    const items = itemsOf(['a F', 'a F'], 'other')
    expect(read(items, { isCreation: true }).conflicts).toEqual([{ line: 3, first: 2 }])
    expect(read(items, { data: [] }).firsts).toEqual([undefined, undefined])
  })
})

describe('the result of a row', () => {
  /** Processes the items in order. Returns for each result the number of the request that produced it. */
  async function process(items: readonly ListItem[], isRead = false) {
    const { repeats } = read(items)
    const resultOf = resultSharing<number>(repeats, isRead)
    let requests = 0
    const send = async () => ++requests
    const results: number[] = []
    for (const item of items) results.push(await resultOf(item, send))
    return { results, again: (item: ListItem) => resultOf(item, send) }
  }

  test('one request provides the result for all identical rows', async () => {
    const { results } = await process(itemsOf(['a F', 'b F', 'a F', 'a M', 'a F']))
    expect(results).toEqual([1, 2, 1, 3, 1])
  })

  test('the stored result of a request is removed after the last row that repeats this request', async () => {
    const items = itemsOf(['a F', 'a F'])
    const { results, again } = await process(items)
    expect([results, await again(items[0] as ListItem)]).toEqual([[1, 1], 2])
  })

  test.each([
    ['a change', 10_001, false],
    ['a read, which keeps 10,000 results,', 10_002, true],
  ] as const)('for 10,001 users with two rows each, %s sends %i requests', async (_, sent, isRead) => {
    const users = Array.from({ length: 10_001 }, (_, n) => `u${n} F`)
    const { results } = await process(itemsOf([...users, ...users]), isRead)
    expect(Math.max(...results)).toBe(sent)
  })
})
