import { expect, test } from 'vitest'
import { chooseOutput, guessColor, guessFormat } from '../../src/cli/choose-output.ts'
import { parseArguments } from '../../src/cli/parse.ts'
import { defineCommand } from '../../src/command/define-command.ts'

const command = defineCommand({ examples: [], run: async () => undefined })
const split = (line: string) => line.split(' ').filter(Boolean)
const choose = (line: string, env = {}) =>
  chooseOutput(parseArguments('facescan test', command, split(line), env).flags, env)

test.each([
  ['', {}, 'table'],
  ['', { FACESCAN_OUTPUT: 'csv' }, 'csv'],
  ['', { FACESCAN_OUTPUT: '' }, 'table'],
  ['-o tsv', { FACESCAN_OUTPUT: 'csv' }, 'tsv'],
  ['--json', { FACESCAN_OUTPUT: 'csv' }, 'json'],
  ['--json -o csv', {}, 'json'],
  ['--jq .a', {}, 'json'],
  ['--jq .a -o ndjson', {}, 'ndjson'],
  ['--json=a', { FACESCAN_OUTPUT: 'ndjson' }, 'ndjson'],
])('"%s" with %j prints %s, and its errors likewise', (line, env, format) => {
  expect(choose(line, env).format).toBe(format)
  const isJson = format === 'json' || format === 'ndjson'
  expect(guessFormat(split(line), env)).toBe(isJson && line.includes('--j') ? 'json' : format)
})

test.each([
  ['--color never', 'never'],
  ['--color=always', 'always'],
  ['--color blue', 'auto'],
  ['--color', 'auto'],
  ['-- --color never', 'auto'],
])('the error of "%s" is in colour as it says: %s', (line, mode) => {
  expect(guessColor(split(line))).toBe(mode)
})

test('fields are named with commas between them, and a bare --json means all', () => {
  expect(choose('--json=a,b').fields).toEqual(['a', 'b'])
  expect(choose('--json').fields).toBeUndefined()
})

test('the other settings follow their flags', () => {
  expect(choose('--no-header --no-truncate --excel -q --jq .')).toMatchObject({
    header: false,
    truncate: false,
    excel: true,
    quiet: true,
    jq: '.',
  })
})

test('a format that is none is refused where it comes from the environment', () => {
  expect(() => choose('', { FACESCAN_OUTPUT: 'xml' })).toThrow('FACESCAN_OUTPUT is not one of table, json')
})

test.each([
  ['users get --nonsense -o json', 'json'],
  ['users get --nonsense --output=csv', 'csv'],
  ['users get -ojson', 'json'],
  ['users get -o', 'table'],
  ['users get -o xml', 'table'],
  ['users get -- --json', 'table'],
  ['users get --jqx', 'table'],
])('the format of the error of "%s" is %s', (line, format) => {
  expect(guessFormat(split(line), {})).toBe(format)
})
