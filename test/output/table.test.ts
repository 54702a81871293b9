import { describe, expect, test } from 'vitest'
import { oneLine, widthOf } from '../../src/output/text.ts'
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
  kind: 'list',
  rows: (value) => value,
  columns: [
    { key: 'name', title: 'Name' },
    { key: 'count', title: 'Count', align: 'right' },
    { key: 'id', title: 'Id', whole: true },
  ],
  empty: 'nothing',
}

/** The characters a terminal emulator and a width table agree on, hostile ones included. */
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
    'keeps every line inside its width, whatever the texts',
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
    'lets no text move the cursor, clear the screen or set the title',
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
    'starts each column at the same place on every line',
    async () => {
      await fc.assert(
        fc.asyncProperty(rows, async (value) => {
          const { out } = await show(value, view, { width: 320 })
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
  'a piped table is one line a row with the same number of tabs, whatever the texts',
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

test('text is cut only where that saves the columns, and never with --no-truncate', async () => {
  const cut = await show(people, peopleView, { width: 120 })
  expect(cut.out).toMatch(/Walk for twenty [^\n]*…/)
  const whole = await show(people, peopleView, { width: 120, settings: { truncate: false } })
  expect(whole.out).not.toContain('…')
  expect(whole.out.replace(/\s+/g, ' ')).toContain(people[0]!.advice)
})

test('rows that cannot fit become records with everything in them', async () => {
  const { out } = await show(people.slice(0, 2), peopleView, { width: 60 })
  expect(out).toBe(
    [
      'User     5151d12e-2f9a-4d7a-962f-fd85d23bd68b',
      'Name     Ada',
      'Score %  82',
      'Seen     1 min ago',
      'Advice   Walk for twenty minutes after lunch, and look at',
      '         something far away every hour.',
      '',
      'User     6151d12e-2f9a-4d7a-962f-fd85d23bd68b',
      'Name     日本 太郎',
      'Score %  7.5',
      'Seen     3 h ago',
      'Advice   Sleep',
      '',
    ].join('\n'),
  )
})

test('a heading can be left out', async () => {
  const { out } = await show(people.slice(0, 1), peopleView, { width: 200, settings: { header: false } })
  expect(out).toMatch(/^5151d12e[^\n]*\n$/)
})

test('without drawings a table has no rule', async () => {
  const { out } = await show(people, peopleView, { width: 200, env: { ACCESSIBLE: '1' } })
  expect(out).not.toContain('─')
})

test('line feeds in a cell are made visible, not followed', () => {
  expect(oneLine('a\nb')).toBe('a\\nb')
})
