import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { safeParse } from 'zod/mini'
import { exitCodesOf } from '../../src/framework/list-exit-codes.ts'
import {
  allExamples,
  byLine,
  choosesOutput,
  createWorld,
  type Example,
  failures,
  type World,
} from '../helpers/examples.ts'
import { sample } from '../helpers/sample.ts'

const examples = await allExamples()

const advice =
  'Use user 4711, profile ACME, import 3f, or answers.csv in the example, or add what it needs to test/helpers/examples.ts.'

let world: World

beforeAll(async () => {
  world = await createWorld()
})

afterAll(() => world.close())

const printJson = examples.filter(
  (example) => !choosesOutput(example) && example.name !== 'demo' && !(example.line in failures),
)

/** A long timeout, because all examples run at the same time and slow each other down. */
const patience = ({ command }: Example) => (command.calls.length > 0 ? ['--timeout', '100s'] : [])

describe.concurrent('every example', () => {
  test.each(byLine(sample(examples, 5)))(
    'the example "%s" ends with its expected exit code if no network is available',
    async (_, example) => {
      const [expected, reason] = failures[example.line] ?? [0, advice]
      const { exitCode, stderr } = await world.run(example, patience(example))
      expect(exitCode, `${reason}\n${stderr}`).toBe(expected)
      expect(exitCodesOf(example.command)).toContain(exitCode)
    },
  )

  test.each(byLine(sample(printJson, 5)))(
    'the example "%s" prints JSON that matches the schema of its command',
    async (_, example) => {
      const { stdout } = await world.run(example, [...patience(example), '--json'])
      const schema = await example.command.schema()
      expect(safeParse(schema, JSON.parse(stdout)).error?.issues ?? []).toEqual([])
    },
  )
})

test('the list of examples that are expected to fail contains only examples from the help', () => {
  const lines = examples.map(({ line }) => line)
  expect(Object.keys(failures).filter((line) => !lines.includes(line))).toEqual([])
})
