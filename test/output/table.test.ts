import { describe, expect, test } from 'vitest'
import { breakUrl, oneLine, truncate, widthOf, wrap } from '../../src/output/text.ts'
import type { ListView } from '../../src/output/view.ts'
import fc from '../helpers/fast-check.ts'
import { emulatorRuns, fuzzRuns, fuzzTimeoutMs } from './fuzz-runs.ts'
import { people, peopleView } from './people.ts'
import { show } from './screen.ts'
import { showOn } from './terminal.ts'

interface Row {
  id: string
  name: string
  count: number
}

const view: ListView<readonly Row[], Row> = {
  rows: (value) => value,
  columns: [
    { key: 'id', title: 'Id', whole: true },
    { key: 'count', title: 'Count', align: 'right' },
    { key: 'name', title: 'Name' },
  ],
  empty: 'nothing',
}

/** Texts with control sequences, and with characters whose width is the same in the terminal emulator and in the program. */
const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('a', ' ', '日', '한', 'é', 'e\u0301', 'ש', 'م', '\u064f', '…', '|', '"'),
    fc.constantFrom(
      '\n',
      '\r',
      '\t',
      '\u0000',
      '\u0007',
      '\u0008',
      '\u001b',
      '\u007f',
      '\u0085',
      '\u009b',
      '\u202e',
      '\u2066',
    ),
    fc.constantFrom(
      '\u001b[31m',
      '\u001b]0;title\u0007',
      '\u001b[2J',
      '\u001b[5A',
      '\u001b[?1049h',
      '\u009b5A',
    ),
    fc.string({ unit: 'binary-ascii', maxLength: 3 }),
  ),
  maxLength: 30,
})

const rows = fc.array(fc.record({ id: fc.uuid(), name: anyText, count: fc.integer() }), {
  minLength: 1,
  maxLength: 8,
})

describe('a table on a terminal', () => {
  test(
    'each line of a table with random texts fits the terminal',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          rows,
          fc.integer({ min: 45, max: 200 }),
          fc.boolean(),
          async (value, width, color) => {
            const { out } = await show(value, view, { width, color })
            for (const line of out.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(width)
            for (const { id } of value) expect(out).toContain(id)
          },
        ),
        { numRuns: fuzzRuns },
      )
    },
    fuzzTimeoutMs,
  )

  test(
    'control sequences in a table, for example to clear the screen, are escaped',
    async () => {
      await fc.assert(
        fc.asyncProperty(rows, fc.integer({ min: 45, max: 200 }), async (value, width) => {
          const { out } = await show(value, view, { width, color: true })
          expect(out.replace(/\u001b\[\d+m/g, '')).not.toMatch(
            /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
          )
          const screen = await showOn(`${out}end`, width)
          expect(screen.title).toBeUndefined()
          expect(screen.wrapped).toBe(false)
          expect(screen.lines).toHaveLength(out.split('\n').length)
          expect(screen.lines.at(-1)).toBe('end')
        }),
        { numRuns: emulatorRuns },
      )
    },
    fuzzTimeoutMs,
  )

  test(
    'each column of a table starts at the same position in every line',
    async () => {
      const wide: typeof view = { ...view, columns: view.columns.toReversed() }
      await fc.assert(
        fc.asyncProperty(rows, async (value) => {
          const { out } = await show(value, wide, { width: 320 })
          const screen = await showOn(out, 320, 12)
          const starts = value.map(({ id }, index) => {
            const cells = screen.cells[index + 2]!
            return cells.findIndex(
              (_, column) =>
                cells
                  .slice(column, column + id.length)
                  .map((cell) => cell.text)
                  .join('') === id,
            )
          })
          expect(new Set(starts).size).toBe(1)
          expect(starts[0]).toBeGreaterThan(0)
        }),
        { numRuns: emulatorRuns },
      )
    },
    fuzzTimeoutMs,
  )
})

test(
  'each row of a table in a pipe is one line with the same number of tabs',
  async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (value) => {
        const lines = (await show(value, view)).out.split('\n')
        expect(lines).toHaveLength(value.length + 2)
        for (const line of lines.slice(0, -1)) expect(line.split('\t')).toHaveLength(3)
      }),
      { numRuns: fuzzRuns },
    )
  },
  fuzzTimeoutMs,
)

test('if a table is too wide, long text is truncated, or printed completely with --no-truncate', async () => {
  const cut = await show(people, peopleView, { width: 120 })
  expect(cut.out).toMatch(/Walk for twenty [^\n]*…/)
  const whole = await show(people, peopleView, { width: 120, settings: { truncate: false } })
  expect(whole.out).not.toContain('…')
  expect(whole.out.replace(/\s+/g, ' ')).toContain(people[0]!.advice)
})

test('if a table is too wide, columns are omitted, and their names are printed below the table', async () => {
  const { out } = await show(people.slice(0, 2), peopleView, { width: 60 })
  expect(out).toBe(
    [
      'User                                  Name       Score %',
      '────────────────────────────────────────────────────────',
      '5151d12e-2f9a-4d7a-962f-fd85d23bd68b  Ada           82',
      '6151d12e-2f9a-4d7a-962f-fd85d23bd68b  日本 太郎      7.5',
      '',
      'Columns not shown: Seen, Advice. Use a wider terminal, or',
      '--no-truncate.',
      '',
    ].join('\n'),
  )
})

test('if a column with a drawing is omitted from a table, the line about omitted columns does not name it', async () => {
  const columns: typeof peopleView.columns = [
    { key: 'name', title: 'Name' },
    { key: 'bar', title: '', only: 'pictures', cell: () => '━'.repeat(30) },
  ]
  const { out } = await show([people[0]!], { ...peopleView, columns }, { width: 20 })
  expect(out).toBe('Name\n────\nAda\n')
})

test('if a table is too wide, the columns with the lowest priority are omitted, and the first column is kept', async () => {
  const columns: typeof peopleView.columns = [
    { key: 'user_id', title: 'User', whole: true, priority: -1 },
    { key: 'name', title: 'Name', priority: 1 },
    { key: 'score', title: 'Score', align: 'right' },
    { key: 'seen', title: 'Seen', time: true, priority: 2 },
  ]
  const headings = async (width: number) =>
    (await show([people[0]!], { ...peopleView, columns }, { width })).out.split('\n')[0]?.split(/ {2,}/)
  expect(await headings(60)).toEqual(['User', 'Name', 'Score', 'Seen'])
  expect(await headings(55)).toEqual(['User', 'Name', 'Seen'])
  expect(await headings(50)).toEqual(['User', 'Seen'])
  expect(await headings(20)).toEqual(['User'])
})

test('if a table is too wide, a column without values is omitted before a column with a lower priority', async () => {
  const columns: typeof peopleView.columns = [
    { key: 'user_id', title: 'User', whole: true },
    { key: 'name', title: 'Name', priority: 1 },
    { key: 'advice', title: 'Longest advice', priority: 2 },
  ]
  const { out } = await show([{ ...people[0]!, advice: '' }], { ...peopleView, columns }, { width: 50 })
  expect(out.split('\n')[0]?.split(/ {2,}/)).toEqual(['User', 'Name'])
})

test('a table keeps a column of null values if the column shows a text for null', async () => {
  const columns: typeof peopleView.columns = [
    { key: 'user_id', title: 'User', whole: true },
    { key: 'name', title: 'Name' },
    { key: 'store', title: 'Key store', value: () => null, cell: () => 'built in', priority: 1 },
  ]
  const { out } = await show([people[0]!], { ...peopleView, columns }, { width: 50 })
  expect(out.split('\n')[0]?.split(/ {2,}/)).toEqual(['User', 'Key store'])
})

test('decimal points are aligned for values with different units', async () => {
  const value = [7.5, 82, 100, 67.37].map((count, index) => ({ id: String(index), name: '', count }))
  const columns: typeof view.columns = [
    { key: 'id', title: '#' },
    { key: 'count', title: 'Count', align: 'right', cell: ({ count }) => `${count}%` },
  ]
  const { out } = await show(value, { ...view, columns }, { width: 80 })
  expect(out.split('\n').slice(2, 6)).toEqual(['0    7.5%', '1   82%', '2  100%', '3   67.37%'])
})

test('the columns of a table with many rows are aligned', async () => {
  const value = Array.from({ length: 450 }, (_, index) => ({
    id: `${index}`,
    name: 'x',
    count: index * 1000,
  }))
  const { out } = await show(value, view, { width: 80 })
  const lines = out.trimEnd().split('\n')
  expect(lines).toHaveLength(452)
  expect(new Set(lines.slice(2).map((line) => line.length)).size).toBe(1)
})

test('a cell that wraps continues in its own column on the next line', async () => {
  const columns: typeof peopleView.columns = [
    { key: 'score', title: 'Score' },
    { key: 'advice', title: 'Advice', wrap: true },
  ]
  const { out } = await show([people[0]!], { ...peopleView, columns }, { width: 50 })
  expect(out.split('\n').slice(2)).toEqual([
    '82     Walk for twenty minutes after lunch, and',
    '       look at something far away every hour.',
    '',
  ])
})

test('a column that can wrap is omitted from a table if fewer than 30 characters per line are left for the column', async () => {
  const columns: typeof peopleView.columns = [
    { key: 'score', title: 'Score' },
    { key: 'advice', title: 'Advice', wrap: true },
  ]
  const headings = async (width: number) =>
    (await show([people[0]!], { ...peopleView, columns }, { width })).out.split('\n')[0]?.split(/ {2,}/)
  expect(await headings(37)).toEqual(['Score', 'Advice'])
  expect(await headings(36)).toEqual(['Score'])
})

test('text in a table is truncated at the end of a word', () => {
  expect(truncate('Walk for twenty minutes', 18)).toBe('Walk for twenty…')
  expect(truncate('Walk for twenty minutes', 16)).toBe('Walk for twenty…')
  expect(truncate('Walk for twenty minutes', 15)).toBe('Walk for…')
  expect(truncate('one-very-long-word', 10)).toBe('one-very-…')
  expect(truncate('a one-very-long-word', 10)).toBe('a one-ver…')
})

test('a number in a table stays on the same line as its unit', () => {
  expect(wrap('done in about 12 min', 18)).toEqual(['done in about', '12 min'])
  expect(wrap('at least 80 ms per request', 13)).toEqual(['at least', '80 ms per', 'request'])
})

test('a word that is longer than the width of its cell is split only with the option "hard"', () => {
  const url = 'https://example.com/a/rather/long/path'
  expect(wrap(`see ${url} first`, 20)).toEqual(['see', url, 'first'])
  expect(wrap(`see ${url}`, 20, { hard: true }).every((line) => line.length <= 20)).toBe(true)
})

test('TypeScript rejects a column whose key is not a field of the row', () => {
  const columns: ListView<readonly Row[], Row>['columns'] = [
    // @ts-expect-error: no row has this field
    { key: 'typo', title: 'Typo' },
    // @ts-expect-error: a column with only `cell` has no value for machine-readable formats
    { key: 'typo', title: 'Typo', cell: () => '' },
    { key: 'twice', title: 'Twice', value: ({ count }) => 2 * count },
    { key: 'bar', title: '', only: 'pictures', cell: () => '━' },
  ]
  expect(columns).toHaveLength(4)
})

test('--no-header omits the header of a table', async () => {
  const { out } = await show(people.slice(0, 1), peopleView, { width: 200, settings: { header: false } })
  expect(out).toMatch(/^5151d12e[^\n]*\n$/)
})

test('a table has no line below its header if ACCESSIBLE is set', async () => {
  const { out } = await show(people, peopleView, { width: 200, env: { ACCESSIBLE: '1' } })
  expect(out).not.toContain('─')
})

test('line breaks in a cell are escaped', () => {
  expect(oneLine('a\nb')).toBe('a\\nb')
})

test('breakUrl breaks and indents a URL before /, ?, and &, and keeps long values in one piece', () => {
  const id = '2dbff54c-7a0b-4171-aa3d-ab4795cd230b'
  const url = `https://api.example.com/v2/users/${id}?language=nl&start=${'1'.repeat(60)}`
  const lines = [
    'https://api.example.com/v2/users',
    `  /${id}`,
    '  ?language=nl',
    `  &start=${'1'.repeat(60)}`,
  ]
  expect(breakUrl(url, 45)).toEqual(lines)
  expect(breakUrl(url, 54)).toEqual([lines[0], `  /${id}?language=nl`, lines[3]])
  expect(breakUrl(url, url.length)).toEqual([url])
})

test('wrap keeps the sign & and the words next to it on one line', () => {
  expect(wrap('mental 40, energy & sleep 50', 18)).toEqual(['mental 40,', 'energy & sleep 50'])
  expect(wrap('a b && c d', 7)).toEqual(['a b &&', 'c d'])
})

test.each(['漢', '\x1b[1m漢\x1b[22m', 'e\u0301', '\u200d'])(
  'a text that repeats %j 200,000 times is measured and truncated',
  (part) => {
    const text = part.repeat(200_000)
    expect(widthOf(text)).toBeGreaterThan(1_000)
    expect(truncate(text, 40)).toMatch(/…$/)
  },
)

test.each(['漢', '\x1b[1m漢\x1b[22m'])('a text that repeats %j 9,000 times is wrapped', (part) => {
  const lines = wrap(part.repeat(9_000), 40, { hard: true })
  expect(lines.join('').replaceAll(/\x1b\[\d+m/g, '')).toBe(part.replaceAll(/\x1b\[\d+m/g, '').repeat(9_000))
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(40)
})
