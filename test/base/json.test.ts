import { expect, test } from 'vitest'
import { parseJson, toJsonText } from '../../src/base/json.ts'
import fc from '../helpers/fast-check.ts'
import { holds } from '../helpers/property.ts'

test.each([
  '12345678901234567890',
  '-9007199254740993',
  '{"a":[1,12345678901234567890,"12345678901234567890"],"b":1.5}',
  '{"text":"12345678901234567890 \\" 12345678901234567890"}',
  '9007199254740991',
])('the JSON text %s keeps every digit when it is parsed and written', (text) => {
  expect(toJsonText(parseJson(text))).toBe(text)
})

test('an integer of 2^53 or more is parsed as a bigint, and a smaller integer as a number', () => {
  expect(parseJson('[9007199254740991,9007199254740992,-9007199254740993]')).toEqual([
    9007199254740991,
    9007199254740992n,
    -9007199254740993n,
  ])
})

test('a number that is too large for a double is parsed as a string', () => {
  expect(parseJson('[1e400,1e-400,1e10]')).toEqual(['1e400', 0, 1e10])
})

test('if a JSON object contains a key twice, the last value is used, and __proto__ is an ordinary key', () => {
  const value = parseJson('{"a":1,"a":2,"__proto__":{"polluted":12345678901234567890}}')
  expect(Object.entries(value as object)).toEqual([
    ['a', 2],
    ['__proto__', { polluted: 12345678901234567890n }],
  ])
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

test('JSON with 200 levels of nesting is parsed, and JSON with 201 levels is rejected', () => {
  expect(parseJson(`"${'['.repeat(1_000)}"`)).toHaveLength(1_000)
  expect(parseJson('['.repeat(200) + ']'.repeat(200))).toBeInstanceOf(Array)
  expect(() => parseJson('['.repeat(201) + ']'.repeat(201))).toThrow(SyntaxError)
})

test('undefined is written as null, and JSON can be written with indentation', () => {
  expect(toJsonText(undefined)).toBe('null')
  expect(toJsonText({ a: 12345678901234567890n }, 2)).toBe('{\n  "a": 12345678901234567890\n}')
})

holds(
  'any JSON text keeps its value if it is parsed and then written',
  fc.property(fc.json({ maxDepth: 4 }), (text) => {
    expect(JSON.parse(toJsonText(parseJson(text)))).toEqual(JSON.parse(text))
  }),
)

holds(
  'integers of any size keep every digit at any position in a JSON value',
  fc.property(fc.array(fc.tuple(fc.string(), fc.bigInt())), (pairs) => {
    const members = pairs.map(([name, number], index) => `${JSON.stringify(`${index}x${name}`)}:[${number}]`)
    const text = `{${members.join(',')}}`
    expect(toJsonText(parseJson(text))).toBe(text)
  }),
)
