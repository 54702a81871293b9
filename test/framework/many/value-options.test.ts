import { describe, expect, test } from 'vitest'
import { mergeMeanings, userValueOptions } from '../../../src/framework/many/value-options.ts'

const { dateFormat, values } = userValueOptions

describe('--values', () => {
  test.each([
    ['sex:V=F', 'sex', [['V', 'F']]],
    [
      'Sex: V = f , M=m',
      'sex',
      [
        ['V', 'F'],
        ['M', 'M'],
      ],
    ],
    ['sex:x=', 'sex', [['x', '']]],
    [
      'sex:V, vrouw=F,M=M',
      'sex',
      [
        ['V, vrouw', 'F'],
        ['M', 'M'],
      ],
    ],
    [
      'dob:NULL=,-=',
      'birth_date',
      [
        ['NULL', ''],
        ['-', ''],
      ],
    ],
    ['language:Dutch=nl', 'language', [['Dutch', 'nl']]],
  ])('--values %s maps texts of the field %s to values', (text, field, meanings) => {
    expect(values.parse(text)).toEqual([field, meanings])
  })

  test.each([
    'sex',
    'sex:',
    'sex:V',
    'sex:V=F,',
    'sex:V=F,M',
    'sex:=F',
    'city:x=y',
    'external_user_id:a=b',
    ':V=F',
  ])('--values %s is refused, because it does not map the values of a field', (text) => {
    expect(() => values.parse(text)).toThrow(`"${text}" is not a mapping of values`)
  })

  test.each([
    ['sex:V=W', '"W" is not a value of sex (F, M)'],
    [
      'birth_date:x=2000-01-01',
      '"2000-01-01" is not a value of birth_date (only no value, such as birth_date:NULL=)',
    ],
  ])('--values %s is refused, because the field does not accept the value', (text, message) => {
    expect(() => values.parse(text)).toThrow(message)
  })

  test.each([
    [[], { sex: { V: 'F' } }, { sex: { V: 'F' } }],
    [
      [['sex', [['v', 'M']]]],
      { sex: { V: 'F', M: 'F' }, language: { x: 'nl' } },
      { sex: { v: 'M', M: 'F' }, language: { x: 'nl' } },
    ],
    [
      [
        ['sex', [['V', 'F']]],
        [
          'sex',
          [
            ['M', 'M'],
            ['v', 'F'],
          ],
        ],
      ],
      undefined,
      { sex: { V: 'F', M: 'M', v: 'F' } },
    ],
    [
      [
        ['sex', [['V', 'F']]],
        ['language', [['V', 'nl']]],
      ],
      {},
      { sex: { V: 'F' }, language: { V: 'nl' } },
    ],
  ] as const)('the flags %j and the saved meanings %j result in %j', (flags, saved, merged) => {
    expect(mergeMeanings(flags, saved)).toEqual(merged)
  })

  test.each([
    [['x', 'F'], ['X', 'M'], '--values maps the sex "X" to both F and M'],
    [['x', ''], ['x', 'M'], '--values maps the sex "x" to both no value and M'],
    [['x', 'F'], ['x', ''], '--values maps the sex "x" to both F and no value'],
  ] as const)('two meanings of a text, %j and %j, are refused', (first, second, message) => {
    expect(() =>
      mergeMeanings([
        ['sex', [first]],
        ['sex', [second]],
      ]),
    ).toThrow(message)
  })
})

test.each(['DD-MM-YYYY', 'D.M.YYYY', 'YYYYMMDD', 'MM/DD/YYYY', 'YYYY年MM月DD'])(
  '--date-format accepts the format %s',
  (format) => {
    expect(dateFormat.parse(format)).toBe(format)
  },
)

test.each(['', 'DD-MM', 'DD-MM-YY', 'DD-DD-YYYY', 'DDD-MM-YYYY', 'xDD-MM-YYYY', 'DD-MM-YYYY 0'])(
  '--date-format refuses the format %j',
  (format) => {
    expect(() => dateFormat.parse(format)).toThrow(`"${format}" is not a date format`)
  },
)
