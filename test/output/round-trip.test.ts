import { parse } from 'csv-parse/sync'
import { expect } from 'vitest'
import type { OutputSettings } from '../../src/output/settings.ts'
import type { ListView } from '../../src/output/view.ts'
import fc from '../helpers/fast-check.ts'
import { holds } from '../helpers/property.ts'
import { type Screen, show } from './screen.ts'

interface Row {
  id: string
  note: string | null
}

const view: ListView<readonly Row[], Row> = {
  rows: (value) => value,
  columns: [
    { key: 'id', title: 'Id' },
    { key: 'note', title: 'Note' },
  ],
  empty: 'nothing',
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({
    unit: fc.constantFrom('"', ',', '\n', '\r', '\t', '\\', 'n', '=', '\u0000', '\ufeff', '\u009b'),
  }),
)
const rows = fc.array(fc.record({ id: text, note: fc.option(text) }), { minLength: 1, maxLength: 6 })

function roundTrip(
  title: string,
  settings: Partial<OutputSettings>,
  read: (out: string, value: readonly Row[]) => void,
  screen: Screen = {},
) {
  holds(
    title,
    fc.asyncProperty(rows, async (value) => {
      read((await show(value, view, { ...screen, settings })).out, value)
    }),
  )
}

function asTexts(value: readonly Row[]): string[][] {
  return value.map(({ id, note }) => [id, note ?? ''])
}

const unescapes: Readonly<Record<string, string>> = { '\\\\': '\\', '\\t': '\t', '\\n': '\n', '\\r': '\r' }

roundTrip(
  'any text is unchanged after it is written to CSV and read again',
  { format: 'csv' },
  (out, value) => {
    expect(parse(out, { record_delimiter: '\r\n', from: 2 })).toEqual(asTexts(value))
  },
)

roundTrip(
  'any text is unchanged after it is written to TSV and read again',
  { format: 'tsv', header: false },
  (out, value) => {
    const fields = out
      .slice(0, -1)
      .split('\n')
      .map((line) => line.split('\t'))
    const read = fields.map((line) =>
      line.map((field) => field.replace(/\\[\\tnr]/g, (pair) => unescapes[pair]!)),
    )
    expect(read).toEqual(asTexts(value))
  },
)

roundTrip(
  'any text is unchanged after it is written to JSON and read again',
  { format: 'json' },
  (out, value) => {
    expect(JSON.parse(out)).toEqual(value)
  },
)

roundTrip(
  'JSON on a terminal contains any text without control characters, and the text is unchanged after it is read again',
  { format: 'ndjson' },
  (out, value) => {
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(value)
  },
  { width: 80 },
)

roundTrip(
  'no text in CSV for Excel starts like a formula',
  { format: 'csv', excel: true, header: false },
  (out) => {
    const read = parse(out, { record_delimiter: '\r\n', bom: true }) as string[][]
    for (const field of read.flat()) expect(field).not.toMatch(/^[=+\-@\t\r](?!\d+(\.\d+)?$)/)
  },
)
