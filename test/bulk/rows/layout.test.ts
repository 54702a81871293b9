import { describe, expect, it } from 'vitest'
import { layoutOf, readAsOf } from '../../../src/bulk/rows/column-names.ts'

const answers = { kind: 'answers' } as const
const result = ['_line', '_column', '_code', '_message']
const none = { external_user_id: -1, user_id: -1, lookup_key: -1, value: -1, timezone: -1 }

describe('the columns of a header', () => {
  it.each([
    ['long', ['lookup_key', 'value', 'external_user_id'], { lookup_key: 0, value: 1, external_user_id: 2 }],
    ['long', ['value', 'lookup_key', 'user_id'], { value: 0, lookup_key: 1, user_id: 2 }],
    ['long', ['external_user_id', 'lookup_key', 'value'], { external_user_id: 0, lookup_key: 1, value: 2 }],
    ['long', [' user_id', 'lookup_key ', '\tvalue'], { user_id: 0, lookup_key: 1, value: 2 }],
    ['wide', ['user_id', 'height'], { user_id: 0 }],
    ['wide', ['external_user_id', 'height'], { external_user_id: 0 }],
    ['wide', ['timezone', 'external_user_id', 'user_id'], { timezone: 0, external_user_id: 1, user_id: 2 }],
  ])(
    'the %s form is detected from a header, whatever the order of its columns: %j',
    (form, header, columns) => {
      expect(layoutOf(header, answers)).toMatchObject({
        form,
        names: header,
        columns: { ...none, ...columns },
      })
    },
  )

  it('the unknown columns in a wide file are lookup keys, and spaces around their names are removed', () => {
    expect(
      layoutOf(['height', 'user_id', ' weight ', '', '_code', 'timezone', 'Sleep'], answers),
    ).toMatchObject({
      keyColumns: [
        { column: 0, key: 'height' },
        { column: 2, key: 'weight' },
        { column: 6, key: 'Sleep' },
      ],
    })
  })

  it('unknown columns in a long file are ignored, and their names are reported', () => {
    const header = ['external_user_id', ' note ', 'lookup_key', '', 'value', '_line', 'height']
    expect(layoutOf(header, answers)).toMatchObject({ keyColumns: [], unread: [1, 6] })
  })

  it.each([
    [['user_id', 'height'], 2],
    [['user_id', 'height', '', ' '], 2],
    [['user_id', '', 'height', ''], 3],
  ])('the columns without a name at the end of a header are found: %j', (header, blankFrom) => {
    expect(layoutOf(header, answers).blankFrom).toBe(blankFrom)
  })

  it('--map renames only a column whose name matches exactly', () => {
    const map = { patient: 'user_id', ' note ': 'height', drop: '' }
    const layout = layoutOf(['patient', ' note ', 'drop', 'toString'], { ...answers, map })
    expect(layout.columns.user_id).toBe(0)
    expect(layout.keyColumns).toEqual([
      { column: 1, key: 'height' },
      { column: 3, key: 'toString' },
    ])
  })
})

describe('the meaning of a column', () => {
  it.each([
    [' Height ', { known: ['height'] }, 'height'],
    ['SLEEP-hours', { known: ['height', 'sleep_hours'] }, 'sleep_hours'],
    ['User ID', { known: ['height'] }, 'user_id'],
    ['tz', {}, 'timezone'],
    [' note ', {}, 'note'],
    ['NOTE', { ignoreColumns: ['age', 'Note'] }, ''],
    ['note', { ignoreColumns: ['note'], map: { Note: 'age' } }, 'age'],
    ['note', { map: { note: '' } }, ''],
    ['a b', { map: { 'A-B': 'weight', 'a b': 'age' } }, 'age'],
    ['a b', { map: { 'A-B': 'Weight' }, known: ['weight'] }, 'weight'],
    ['birthday', { withUsers: true }, ''],
    ['birthday', {}, 'birthday'],
    ['note', { withUsers: true }, 'note'],
  ])('the column %j with the settings %j is read as %j', (name, rules, meaning) => {
    expect(readAsOf(name, { ...answers, ...rules })).toBe(meaning)
  })
})

describe('the columns of a result file', () => {
  it('reading a result file removes its result columns, and apostrophes before formulas in column names', () => {
    const names = ["'=note", "''-x", "'plain", "it'=x", "'\tx", "'", "''@y"]
    expect(layoutOf(['user_id', ...names, ...result], answers)).toMatchObject({
      isResult: true,
      names: ['user_id', '=note', "'-x", "'plain", "it'=x", '\tx', "'", "'@y"],
      blankFrom: 8,
    })
  })

  it('a header without result columns keeps the apostrophes in its column names', () => {
    expect(layoutOf(['user_id', "'=note"], answers)).toMatchObject({
      isResult: false,
      names: ['user_id', "'=note"],
    })
  })

  it.each([
    [['user_id', 'height', '_code', '_message']],
    [['user_id', 'height', '_line', '_code', '_column', '_message']],
    [['user_id', ...result, 'height']],
    [['user_id', 'height', '', ...result.toReversed()]],
    [[...result.slice(2), 'user_id', 'height', ...result.slice(0, 2)]],
  ])(
    'result columns are read as data if they are incomplete or not at the end of the header: %j',
    (header) => {
      expect(layoutOf(header, answers)).toMatchObject({ isResult: false, names: header, form: 'wide' })
      expect(layoutOf(header, answers).keyColumns.map(({ key }) => key)).toEqual(['height'])
    },
  )
})

describe('an invalid header', () => {
  const rename = 'Rename a column with --map column=field, or ignore it with --map column='

  it.each([
    [
      ['patient', 'height'],
      'the header has neither external_user_id nor user_id; its columns are "patient", "height"',
      rename,
    ],
    [
      ['user_id', 'lookup_key', 'note'],
      'the header has a column "lookup_key" but no column "value"; its columns are "user_id", "lookup_key", "note"',
      rename,
    ],
    [
      ['lookup_key', 'external_user_id'],
      'the header has a column "lookup_key" but no column "value"; its columns are "lookup_key", "external_user_id"',
      rename,
    ],
    [
      ['value', 'user_id'],
      'the header has a column "value" but no column "lookup_key"; its columns are "value", "user_id"',
      rename,
    ],
    [
      ['external_user_id', '', 'height', '', ' height '],
      'the header has height twice: columns 3 ("height") and 5 (" height ")',
      rename,
    ],
  ])(
    'the error for the header %j states the missing or repeated column, with a hint',
    (header, message, hint) => {
      expect(() => layoutOf(header, answers)).toThrow(expect.objectContaining({ message, details: { hint } }))
    },
  )

  it('the error for a header with several problems states all of them', () => {
    const refused = () => layoutOf(['value', 'value', 'x', 'x'], { ...answers, map: { y: 'user_id' } })
    expect(refused).toThrow(/"y".*value twice.*x twice.*neither.*no column "lookup_key"/s)
  })

  it.each([
    [['a', '4711']],
    [['a', ' -7 ']],
    [['a;12;x']],
    [['a|b|3']],
    [['Ann', '1984-02-29']],
    [['Ann;29.2.1984']],
    [['ann@example.com', 'Ann']],
  ])(
    'the first line %j is reported as data, because it has a number, a date, or an email address',
    (header) => {
      for (const isList of [false, true])
        expect(() => layoutOf(header, { kind: isList ? 'list' : 'answers' })).toThrow(
          'the first line contains data instead of a header',
        )
    },
  )

  it.each([[['a', 'q4711']], [['a', '4711x']], [['value', '4711']]])(
    'the first line %j is not reported as data',
    (header) => {
      expect(() => layoutOf(header, answers)).toThrow('the header has')
    },
  )
})
