import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { chooseErrorFormat, chooseOutput } from '../../src/cli/choose-output.ts'
import { parseWords } from '../../src/cli/parse.ts'
import { tokenize } from '../../src/cli/tokenize.ts'
import { alreadyPrinted } from '../../src/framework/command-result.ts'
import { defineCommand } from '../../src/framework/define-command.ts'
import { lineOf } from '../helpers/line.ts'

const command = defineCommand({
  output: () => Promise.resolve(z.null()),
  view: { text: String },
  examples: [],
  run: async () => alreadyPrinted,
})
const split = (line: string) => line.split(' ').filter(Boolean)
async function choose(line: string, env = {}) {
  const { flags } = await parseWords('test', command, lineOf(['test', ...split(line)]), env)
  return chooseOutput(flags, env)
}
const errorFormat = async (line: string, env = {}) => chooseErrorFormat(await tokenize(split(line)), env)

test.each([
  ['', {}, 'table'],
  ['', { FACESCAN_OUTPUT: 'csv' }, 'csv'],
  ['', { FACESCAN_OUTPUT: '' }, 'table'],
  ['-o tsv', { FACESCAN_OUTPUT: 'csv' }, 'tsv'],
  ['--json', { FACESCAN_OUTPUT: 'csv' }, 'json'],
  ['--json -o json', {}, 'json'],
  ['--jq .a', {}, 'json'],
  ['--jq .a -o ndjson', {}, 'ndjson'],
  ['--json=a', { FACESCAN_OUTPUT: 'ndjson' }, 'ndjson'],
])(
  'if the flags are "%s" and the environment is %j, results and errors are printed as %s',
  async (line, env, format) => {
    expect((await choose(line, env)).format).toBe(format)
    expect(await errorFormat(line, env)).toBe(format)
  },
)

test('--json=a,b selects two fields, and --json without a value selects all fields', async () => {
  expect((await choose('--json=a,b')).fields).toEqual(['a', 'b'])
  expect((await choose('--json')).fields).toBeUndefined()
})

test('--no-header, --no-truncate, --excel, and --jq set the output settings of the same names', async () => {
  expect(await choose('--no-header --no-truncate --excel --jq .')).toMatchObject({
    header: false,
    truncate: false,
    excel: true,
    jq: '.',
  })
})

test.each(['-o csv --jq .a', '-o table --jq .a', '--json -o tsv', '--json=a --output csv'])(
  '"%s" selects different formats and is a usage error',
  async (line) => {
    await expect(choose(line)).rejects.toThrow(
      /--output (csv|table|tsv) and --(jq|json) cannot be used together/,
    )
  },
)

test('an invalid output format in the environment is refused', async () => {
  await expect(choose('', { FACESCAN_OUTPUT: 'xml' })).rejects.toThrow(
    'the value "xml" in FACESCAN_OUTPUT is not one of table, json',
  )
})

test.each([
  ['users get --nonsense -o json', 'json'],
  ['users get --nonsense --output=csv', 'csv'],
  ['users get -ojson', 'json'],
  ['users get -o', 'table'],
  ['users get -o xml', 'table'],
  ['users get -- --json', 'table'],
  ['users get --jqx', 'table'],
])('the error for the invalid command line "%s" is printed as %s', async (line, format) => {
  expect(await errorFormat(line)).toBe(format)
})
