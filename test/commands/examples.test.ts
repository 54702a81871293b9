import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { safeParse } from 'zod/mini'
import { exitCodesOf } from '../../src/command/exit-codes.ts'
import { allNouns, leavesOf } from '../../src/tree/tree.ts'
import { allExamples, cannotSucceed, choosesOutput, createWorld, type World } from '../helpers/examples.ts'

const examples = await allExamples()
const succeeded = new Set<string>()

let world: World

beforeAll(async () => {
  world = await createWorld()
})

afterAll(() => world.close())

const printJson = examples.filter((example) => !choosesOutput(example) && example.name !== 'demo')

describe.concurrent('every example', () => {
  test.each(examples)('"$line" ends with an exit code that its command documents', async (example) => {
    const { exitCode, stderr } = await world.run(example)
    if (exitCode === 0) succeeded.add(example.name)
    expect(exitCodesOf(example.command), stderr).toContain(exitCode)
    expect(stderr).not.toMatch(/unknown flag|too many arguments|unknown command/)
  })

  test.each(printJson)('"$line" prints JSON that matches the schema of its command', async (example) => {
    const { exitCode, stdout } = await world.run(example, ['-o', 'json'])
    const failed = exitCode !== 0 && stdout === ''
    const schema = await example.command.schema()
    expect(failed ? [] : (safeParse(schema, JSON.parse(stdout)).error?.issues ?? [])).toEqual([])
  })
})

const names = leavesOf(allNouns()).map(([name]) => name)

test.each(names.filter((name) => !(name in cannotSucceed)))('an example of "%s" succeeds', (name) => {
  const help = `No example of "${name}" succeeds. Use user 4711, profile ACME, import 3f or answers.csv in an example of its file, or add what it needs to createWorld in test/helpers/examples.ts.`
  expect(succeeded.has(name), help).toBe(true)
})
