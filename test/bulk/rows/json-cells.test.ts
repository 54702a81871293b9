import { describe, expect, it } from 'vitest'
import { JsonCells } from '../../../src/bulk/rows/json-table.ts'
import { answerColumns } from '../../../src/bulk/rows/table.ts'

/** Creates a function that reads a JSON line. The function returns the texts of the cells and the lookup keys, or a rejection reason. */
function reading(isWide: boolean, map: Record<string, string> = {}) {
  const layout = { form: isWide ? 'wide' : 'long', names: answerColumns, unread: [] } as const
  const json = new JsonCells(layout, { kind: 'answers', map })
  return (line: string | Buffer) => {
    const reason = json.read(Buffer.from(line))
    if (reason) return reason
    const { bytes, count, starts, ends } = json.cells
    const cells = Array.from({ length: count }, (_, index) =>
      bytes.toString('utf8', starts[index], ends[index]),
    )
    return { cells, keys: [...json.keyNames] }
  }
}

describe('the cells of a JSON line', () => {
  it('the order of the cells of a JSON line does not depend on the order of its keys', () => {
    const read = reading(false)
    const line = '{"timezone":"UTC","height":3,"value":1,"external_user_id":"ü","lookup_key":"k"}'
    expect(read(line)).toEqual({ cells: ['ü', '', 'k', '1', 'UTC'], keys: [] })
    expect(read('{"user_id":7}')).toEqual({ cells: ['', '7', '', '', ''], keys: [] })
  })

  it('a JSON line in wide form has a cell for each key of this line and of earlier lines', () => {
    const read = reading(true)
    expect(read('{"external_user_id":"a","k1":1,"k2":2}')).toEqual({
      cells: ['a', '', '', '', '', '1', '2'],
      keys: ['k1', 'k2'],
    })
    const more = '{"k7":7,"k3":3,"k4":4,"k5":5,"k6":"","k2":-2,"external_user_id":"b"}'
    expect(read(more)).toEqual({
      cells: ['b', '', '', '', '', '', '-2', '7', '3', '4', '5', ''],
      keys: ['k1', 'k2', 'k7', 'k3', 'k4', 'k5', 'k6'],
    })
    expect(read('{"k1":9}')).toMatchObject({ cells: ['', '', '', '', '', '9', '', '', '', '', '', ''] })
  })

  it('a JSON line has no cell for an empty key, a result column, or an ignored key', () => {
    const read = reading(true, { note: '', Length: 'height' })
    const line = '{"":1,"_line":3,"_column":"x","_code":"y","_message":"z","note":[1],"Length":180}'
    expect(read(line)).toEqual({ cells: ['', '', '', '', '', '180'], keys: ['height'] })
  })

  it.each([
    ['{"external_user_id":"a","lookup_key":"height","value":180}', 'lookup_key'],
    ['{"answer":1,"height":180}', 'answer'],
  ])('a JSON line in long form is rejected in a file in wide form: %s', (line, column) => {
    expect(reading(true, { answer: 'value' })(line)).toMatchObject({ column, code: 'json_form' })
    expect(reading(false, { answer: 'value' })(line)).toHaveProperty('cells')
  })

  it('a JSON line in wide form can contain the keys lookup_key and value if their values are empty', () => {
    const line = '{"height":1,"lookup_key":null,"value":""}'
    expect(reading(true)(line)).toMatchObject({ cells: ['', '', '', '', '', '1'] })
  })

  it('a JSON line in long form keeps long texts with characters of several bytes', () => {
    const read = reading(false)
    const user = 'a€😀'.repeat(3000)
    const line = JSON.stringify({ external_user_id: user, lookup_key: '€'.repeat(5000), value: 1 })
    expect(read(line)).toMatchObject({ cells: [user, '', '€'.repeat(5000), '1', ''] })
    expect(read('{"value":2}')).toMatchObject({ cells: ['', '', '', '2', ''] })
  })

  const map = { patient: 'external_user_id' }
  it.each([
    ['{"patient":"a","external_user_id":""}', ['a', '', '', '', '']],
    ['{"patient":null,"external_user_id":"a"}', ['a', '', '', '', '']],
    ['{"external_user_id":"a","patient":null}', ['a', '', '', '', '']],
    ['{"external_user_id":"","patient":""}', ['', '', '', '', '']],
  ])(
    'if --map gives two keys of a JSON line the same name, the key with a value is used: %s',
    (line, cells) => {
      expect(reading(false, map)(line)).toEqual({ cells, keys: [] })
    },
  )

  it.each([
    ['{"patient":"a","external_user_id":"b"}', 'external_user_id'],
    ['{"external_user_id":"a","patient":"a"}', 'patient'],
  ])(
    'a JSON line is rejected if --map gives two keys the same name and both keys have a value: %s',
    (line, column) => {
      expect(reading(false, map)(line)).toEqual({
        column,
        code: 'json_twice',
        message: 'two keys are mapped to the same field (--map)',
      })
    },
  )

  it.each([
    ['{"a":1', 'json_invalid', 'the line is not valid JSON'],
    ['null', 'json_invalid', 'the line is not a JSON object'],
    ['3', 'json_invalid', 'the line is not a JSON object'],
    ['"text"', 'json_invalid', 'the line is not a JSON object'],
    ['[{"value":1}]', 'json_invalid', 'the line is not a JSON object'],
    [Buffer.from('{"value":"é"}', 'latin1'), 'json_encoding', 'the line is not UTF-8'],
    ['{"_record":"{\\"a\\":"}', 'json_invalid', 'the line is not valid JSON'],
  ])('a JSON line is rejected if it is not an object: %s', (line, code, message) => {
    expect(reading(true)(line)).toEqual({ code, message })
  })

  it('if a line of a result file has the field _record, the original JSON line is read from this field', () => {
    const line = JSON.stringify({ _record: '{"user_id":"a","value":1.0,"value2":2}', _line: 7, _code: 'x' })
    expect(reading(false)(line)).toMatchObject({ cells: ['', 'a', '', '1.0', ''] })
    expect(reading(false)('{"_record":3,"user_id":"a"}')).toMatchObject({ cells: ['', 'a', '', '', ''] })
  })

  it.each([
    ['{"value":1,"value":2}', 'value'],
    ['{"value":1,"more":{"a":[{}],"b":"}"},"val\\u0075e" : null}', 'value'],
    ['{"a\\"b":1,"user_id":"x","n":[[]],"user_id":"y"}', 'user_id'],
  ])('a JSON line is rejected if a key occurs twice: %s', (line, column) => {
    expect(reading(false)(line)).toEqual({
      column,
      code: 'json_twice',
      message: 'duplicate key in the line',
    })
  })

  it.each([
    '{"value":1,"more":{"value":2,"value":3},"list":[{"value":4}],"a:b":"c:d"}',
    '{"more":{"a":{}},"value":1,"x":"\\"value\\":2","y":":::"}',
    '{"x":"value","y":"a:b:c","value":1}',
  ])(
    'a JSON line is accepted if a key occurs a second time only in a nested object or string: %s',
    (line) => {
      expect(reading(false)(line)).toMatchObject({ cells: ['', '', '', '1', ''] })
    },
  )
})
