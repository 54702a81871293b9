import { describe, expect, it } from 'vitest'
import { cellText, parseLine } from '../../../src/bulk/rows/json-line.ts'

/** The text of the last value with the key `v` in a line. */
function cellOf(line: string): string | undefined {
  const parsed = parseLine(Buffer.from(line))
  const member = 'members' in parsed && parsed.members.findLast(({ name }) => name === 'v')
  return member ? cellText(member) : 'no member'
}

describe('the text of a JSON value', () => {
  it.each([
    ['1', '{"v":1}'],
    ['-7', '{"v":-7}'],
    ['1.0', '{"v":1.0}'],
    ['-1.0', '{"v" : -1.0}'],
    ['1e3', '{"v":\t1e3}'],
    ['1E+3', '{"v":1E+3}'],
    ['100e-2', '{"v":100e-2}'],
    ['1.5', '{"v":1.5}'],
    ['9007199254740993', '{"v":9007199254740993}'],
    ['12345678901234567890', '{"v":12345678901234567890}'],
    ['1', '{"a":2.5,"v":1}'],
    ['1.0', '{"a":1,"v":1.0,"b":1}'],
    // A key in a nested object or in a text is not a key of the line.
    ['1.0', '{"more":{"v":2.0},"v":1.0}'],
    ['1.0', '{"v":1.0,"more":{"v":1}}'],
    ['1', '{"more":[{"v":1.0}],"v":1}'],
    ['1.0', '{"a":"\\"v\\":1","v":1.0}'],
    ['1', '{"a":"\\"v\\":1.0","v":1}'],
    ['1.0', '{"\\u0076":1.0}'],
    ['1.0', '{"\\"v":2.0,"v":1.0}'],
  ])('the value of the key "v" is read as the text %s from the JSON line %s', (text, line) => {
    expect(cellOf(line)).toBe(text)
  })

  it.each([
    [null, ''],
    ['', ''],
    [' 1.0', ' 1.0'],
    ['a😀', 'a😀'],
    ['\ud800b', '\0b'],
  ])('the JSON value %j becomes the text %j', (value, text) => {
    expect(cellOf(JSON.stringify({ v: value }))).toBe(text)
  })

  it.each([[true], [{}], [[1]]])('the JSON value %j is not valid as a cell', (value) => {
    expect(cellOf(JSON.stringify({ v: value }))).toBeUndefined()
  })
})
