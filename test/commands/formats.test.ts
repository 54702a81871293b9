import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { realClock } from '../helpers/clock.ts'
import {
  byLine,
  choosesOutput,
  createWorld,
  type Example,
  firstOfEach,
  usableExamples,
  type World,
} from '../helpers/examples.ts'
import { createMachine } from '../helpers/facescan.ts'
import { sample } from '../helpers/sample.ts'

const { facescan } = createMachine()

/** A fixed time, so that relative times are the same in every format. */
const moment = Date.now()
const clock = { ...realClock, now: () => moment }

let world: World

beforeAll(async () => {
  world = await createWorld()
})

afterAll(() => world.close())

/** The first usable example of each command. Examples that select an output are excluded, because the tests select the output. */
const examples = sample(
  firstOfEach(
    (await usableExamples(['pipe', 'stopped import'])).filter((example) => !choosesOutput(example)),
  ),
  5,
)

async function output(example: Example, ...flags: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await world.run(example, [...flags, '--yes'], { clock })
  expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' })
  return stdout
}

describe.concurrent('every command', () => {
  test.each(byLine(examples))(
    '"%s --jq ." prints JSON with the same fields as --json',
    async (_, example) => {
      const text = await output(example, '-o', 'json')
      const value = JSON.parse(text)
      // If the result is a text, jq prints it without quotes, so the output is not JSON.
      if (typeof value === 'string') return
      const through = JSON.parse(await output(example, '--jq', '.'))
      expect(Object.keys(through ?? {})).toEqual(Object.keys(value ?? {}))
    },
  )

  test.each(byLine(examples))('"%s -o ndjson" prints one JSON value per line', async (_, example) => {
    const values = (await output(example, '-o', 'ndjson')).split('\n').slice(0, -1)
    expect(values.map((line) => JSON.parse(line) !== undefined)).not.toContain(false)
  })

  test.each(byLine(examples))(
    '"%s" prints CSV and TSV records with as many fields as the header',
    async (_, example) => {
      const csv = parse(await output(example, '-o', 'csv'), { record_delimiter: '\r\n' }) as string[][]
      const tsv = (await output(example, '-o', 'tsv'))
        .split('\n')
        .slice(0, -1)
        .map((line) => line.split('\t'))
      expect(csv.length).toBeGreaterThan(0)
      expect(new Set([...csv, ...tsv].map((record) => record.length)).size).toBe(1)
      expect(tsv.length).toBe(csv.length)
    },
  )
})

/** Examples whose result has rows and is the same in two runs. */
const stable = examples.filter(
  ({ name, command: { effect, localEffect, many, view } }) =>
    // Without an output format, `help` prints a page, so there are no rows to compare.
    name !== 'help' &&
    effect === 'read' &&
    localEffect === 'read' &&
    !many?.isSecret &&
    view &&
    !('text' in view),
)

/** The output of an example. The name of the temporary directory is replaced, because it differs in each run. */
async function comparable(example: Example, ...flags: string[]): Promise<string> {
  return (await output(example, ...flags)).replaceAll(/facescan-test-\w+/g, 'facescan-test')
}

/** The rows of a JSON result: the list, the list inside the object, or the object itself. */
function rowsOf(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value
  return Object.values(value as object).find(Array.isArray) ?? [value]
}

function escapedInTsv(text: string): string {
  const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
  return text.replaceAll(/[\\\t\n\r]/g, (character) => escapes[character] ?? character)
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

describe.concurrent('the rows of a command in all formats', () => {
  test.each(byLine(stable))(
    '"%s" prints the same rows in the same order in every format',
    async (_, example) => {
      const value: unknown = JSON.parse(await comparable(example, '-o', 'json'))
      const lines = (text: string) => text.split('\n').slice(0, -1)
      const ndjson = lines(await comparable(example, '-o', 'ndjson')).map((line) => JSON.parse(line))
      const [header = [], ...records] = parse(await comparable(example, '-o', 'csv')) as string[][]
      const table = lines(await comparable(example))
      const tsv = lines(await comparable(example, '-o', 'tsv')).map((line) => line.split('\t'))
      if (Array.isArray(value)) expect(ndjson).toEqual(value)
      expect(parseYaml(await comparable(example, '-o', 'yaml'))).toEqual(value)
      expect(JSON.parse(await comparable(example, '--jq', '.'))).toEqual(value)
      expect(tsv).toEqual([header, ...records].map((cells) => cells.map(escapedInTsv)))
      expect(ndjson).toHaveLength(records.length)
      expect(table).toHaveLength(records.length + 1)
      const rows = rowsOf(value)
      if (rows.length !== records.length) return
      for (const [index, name] of header.entries()) {
        const isPlain = rows.every((row) => typeof row[name] !== 'object' || row[name] === null)
        if (!isPlain || !rows.some((row) => Object.hasOwn(row, name))) continue
        expect(records.map((cells) => cells[index])).toEqual(rows.map((row) => cellOf(row[name])))
      }
    },
  )
})

test('"completion" prints the same script for each format in FACESCAN_OUTPUT', async () => {
  const plain = await facescan('completion bash')
  const env = { FACESCAN_OUTPUT: 'json' }
  expect((await facescan('completion bash', { env })).stdout).toBe(plain.stdout)
  expect(JSON.parse((await facescan('completion bash --json')).stdout)).toBe(plain.stdout)
})

test.each(['--json', '-o json', '-o ndjson', '-o csv', '-o tsv', '--jq .'])(
  'with %s, a failed command prints nothing on stdout and one line of JSON on stderr',
  async (flags) => {
    const { exitCode, stdout, stderr } = await facescan(`users get nobody ${flags}`)
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: '' })
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'not_found', status: 404, exit_code: 4 } })
  },
)
