import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { JsonLine } from '../../../src/bulk/rows/json-line.ts'

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
    // Keys of nested objects and texts are different keys.
    ['1.0', '{"more":{"v":2.0},"v":1.0}'],
    ['1.0', '{"v":1.0,"more":{"v":1}}'],
    ['1', '{"more":[{"v":1.0}],"v":1}'],
    ['1.0', '{"a":"\\"v\\":1","v":1.0}'],
    ['1', '{"a":"\\"v\\":1.0","v":1}'],
    ['1.0', '{"\\u0076":1.0}'],
    ['1.0', '{"\\"v":2.0,"v":1.0}'],
  ])('the text of a JSON value is %s, as it is spelled in %s', (text, line) => {
    expect(new JsonLine(JSON.parse(line), line).cellText('v', JSON.parse(line).v)).toBe(text)
  })

  it.each([
    [null, ''],
    ['', ''],
    [' 1.0', ' 1.0'],
    ['a😀', 'a😀'],
    ['\ud800b', '\0b'],
    [true, undefined],
    [{}, undefined],
    [[1], undefined],
  ])('of %j is %j', (value, text) => {
    expect(new JsonLine({}, '{}').cellText('v', value)).toBe(text)
  })
})

it('searches a line only once for the spelling of its numbers', () => {
  const object = { user_id: '3e2d8a5c-0b1f-4c6d-9e7a-1f2b3c4d5e6f', a: 1, b: 2, c: 3 }
  const line = new JsonLine(object, JSON.stringify(object))
  const matchAll = vi.spyOn(String.prototype, 'matchAll')
  onTestFinished(() => matchAll.mockRestore())
  expect(Object.entries(object).map(([name, value]) => line.cellText(name, value))).toContain('3')
  expect(matchAll).toHaveBeenCalledOnce()
})
