import { describe, expect, it } from 'vitest'
import { LookupKeys, shortKey } from '../../../src/bulk/rows/lookup-keys.ts'
import { knownKeys } from '../import-input.ts'

describe('the lookup keys of a file', () => {
  it('the internal number of a known lookup key is its position in the list of known keys', () => {
    const keys = new LookupKeys(knownKeys)
    expect([...knownKeys, 'age', '', 'Height'].map((key) => keys.numberOf(key))).toEqual([
      0, 1, 2, 3, -1, -1, -1,
    ])
    expect(keys.names).toEqual(knownKeys)
  })

  it('lookup keys get internal numbers in order of appearance if the list of known keys is not available', () => {
    const keys = new LookupKeys()
    const spelled = ['b', '', 'a', 'b', 'ü', '', 'a']
    expect(spelled.map((key) => keys.numberOf(key))).toEqual([0, -1, 1, 0, 2, -1, 1])
    expect(keys.names).toEqual(['b', 'a', 'ü'])
  })

  it('a file with too many different lookup keys is refused', () => {
    const keys = new LookupKeys()
    for (let number = 0; number < 60_000; number++) keys.numberOf(`key${number}`)
    expect(keys.numberOf('key59999')).toBe(59_999)
    expect(() => keys.numberOf('key60000')).toThrow('more than 60000 different lookup keys')
  })
})

describe('answers outside the usual values', () => {
  it.each([
    ['height', [99, 100, 180, 250, 251], 2, '100 to 250 cm'],
    ['weight', [24, 25, 70, 350, 351, 352], 3, '25 to 350 kg'],
  ])(
    'if the answers to the question %s have the values %j, %i answers are unusual',
    (key, values, answers, usual) => {
      const keys = new LookupKeys(['age', 'height', 'weight'])
      for (const value of values) keys.noteValue({ key: keys.numberOf(key), value })
      expect(keys.unusualAnswers()).toEqual([{ lookup_key: key, answers, usual }])
    },
  )

  it('an answer to a question other than height and weight is never unusual', () => {
    const keys = new LookupKeys(['age'])
    for (const value of [-1, 0, 10_000]) keys.noteValue({ key: 0, value })
    expect(keys.unusualAnswers()).toEqual([])
  })
})

describe('the most similar lookup key', () => {
  it('no lookup key that contains a line feed is suggested', () => {
    expect(new LookupKeys(['he\night']).nearest('height')).toBeUndefined()
  })

  it.each([
    ['hight', 'height'],
    ['HEIGHT', 'height'],
    ['  Average - Sleep\tHours ', 'average_sleep_hours'],
    // A key is similar to another if it differs in one letter, or in at most a third of its letters.
    ['heixxt', 'height'],
    [' heixxt ', 'height'],
    ['xxxxxxe_sleep_hours', 'average_sleep_hours'],
    ['Is  -  ok', 'is_ok'],
  ])('the known lookup key that is most similar to %j is "%s"', (key, nearest) => {
    expect(new LookupKeys([...knownKeys, 'age', 'is_ok']).nearest(key)).toBe(nearest)
  })

  it.each(['hexxxt', 'agxx', 'axxx', 'xxxxxxx_sleep_hours', 'zzz'])(
    'no known lookup key is similar to %j',
    (key) => {
      expect(new LookupKeys([...knownKeys, 'age', 'is_ok']).nearest(key)).toBeUndefined()
    },
  )

  it('no similar lookup key is suggested if the known keys are not available', () => {
    expect(new LookupKeys([]).nearest('a')).toBeUndefined()
  })

  it('no similar lookup key is suggested for a long key or after too many unknown keys', () => {
    const long = 'k'.repeat(60)
    const keys = new LookupKeys([long, 'height'])
    expect(keys.nearest(`${'k'.repeat(59)}x`)).toBe(long)
    expect(keys.nearest(`${long}x`)).toBeUndefined()
    keys.noteUnknown('hight', 1)
    for (let number = 1; number < 1000; number++) {
      expect(keys.nearest('heigh')).toBe('height')
      keys.noteUnknown(`unknown${number}`, 2)
    }
    expect(keys.nearest('heigh')).toBeUndefined()
    expect(keys.nearest('hight')).toBe('height')
  })
})

describe('unknown keys', () => {
  it('unknown keys are sorted by their number of rows, and then by their first line', () => {
    const keys = new LookupKeys(knownKeys)
    const noted = ['one', 'hight', 'three', 'two', 'hight', 'three', 'three']
    for (const [index, key] of noted.entries()) keys.noteUnknown(key, index + 2)
    expect(keys.unknownKeys()).toEqual([
      { key: 'three', rows: 3, first_line: 4, nearest: undefined },
      { key: 'hight', rows: 2, first_line: 3, nearest: 'height' },
      { key: 'one', rows: 1, first_line: 2, nearest: undefined },
      { key: 'two', rows: 1, first_line: 5, nearest: undefined },
    ])
  })

  it('at most a thousand unknown lookup keys are listed, and later rows with a listed key are still counted', () => {
    const keys = new LookupKeys([])
    for (let number = 1; number <= 1001; number++) keys.noteUnknown(`key${number}`, number)
    keys.noteUnknown('key1000', 1002)
    const told = keys.unknownKeys()
    expect(told).toHaveLength(1000)
    expect(told[0]).toEqual({ key: 'key1000', rows: 2, first_line: 1000, nearest: undefined })
  })

  it.each([
    ['x'.repeat(60), 'x'.repeat(60)],
    ['x'.repeat(61), `${'x'.repeat(60)}…`],
    [`${'x'.repeat(59)}😀`, `${'x'.repeat(59)}…`],
    [`${'x'.repeat(58)}😀y`, `${'x'.repeat(58)}😀…`],
    [`\ud800${'x'.repeat(60)}`, `\ud800${'x'.repeat(59)}…`],
  ])('unknown keys are truncated after at most 60 complete characters: %j', (key, short) => {
    expect(shortKey(key)).toBe(short)
  })
})
