import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { ConfigurationError } from '../../src/base/errors.ts'
import { reportError } from '../../src/cli/report-error.ts'
import { runCommand } from '../../src/cli/run-command.ts'
import { tokenize } from '../../src/cli/tokenize.ts'
import type { ProcessEnvironment } from '../../src/context/command-context.ts'
import type { ReplyOf } from '../../src/contract/index.ts'
import { commandResult } from '../../src/framework/command-result.ts'
import type { Context } from '../../src/framework/context.ts'
import { type Command, defineCommand } from '../../src/framework/define-command.ts'
import type { RecordView } from '../../src/output/view.ts'
import { createMachine } from '../helpers/facescan.ts'
import { temporaryFolder } from '../helpers/folder.ts'
import { reply, serve } from '../helpers/hostile-server.ts'

interface Existence {
  exists: boolean
}

const view: RecordView<Existence> = { columns: [{ key: 'exists', title: 'Exists' }] }
const output = async () => z.strictObject({ exists: z.boolean() })

/** The command that the recipe in CONTRIBUTING defines. */
async function readRecipe(): Promise<Command> {
  const page = readFileSync('CONTRIBUTING.md', 'utf8')
  const [, source = ''] = /```ts\n( *import \{ ServiceError \}.*?)```/s.exec(page) ?? []
  const file = join(temporaryFolder(), 'exists.ts')
  writeFileSync(file, source.replaceAll("'../../", `'${resolve('src')}/`))
  return (await import(file)).default
}

/** A main function that runs a command that is not in src/routes. */
function mainOf(command: Command) {
  return async function main(argv: readonly string[], environment: ProcessEnvironment): Promise<number> {
    const line = await tokenize(argv)
    const leaf = { summary: '', load: async () => ({ default: command }) }
    return runCommand({ kind: 'command', name: 'test', leaf }, line, environment, main).then(
      () => 0,
      (error) => reportError(error, line, environment),
    )
  }
}

test('the example command in CONTRIBUTING prints its result as NDJSON, CSV, and text', async () => {
  const existence = await readRecipe()
  const machine = createMachine()
  await machine.facescan('users create 4711')
  const run = (line: string) => machine.facescan(line, { main: mainOf(existence) })
  expect(await run('test 4711 -o ndjson')).toMatchObject({ exitCode: 0, stdout: '{"exists":true}\n' })
  expect(await run('test 4712 -o ndjson')).toMatchObject({ exitCode: 0, stdout: '{"exists":false}\n' })
  expect(await run('test 4712 -o csv')).toMatchObject({ exitCode: 0, stdout: 'exists\r\nfalse\r\n' })
  expect(await run('test 4712')).toMatchObject({ exitCode: 0, stdout: 'Exists\nno\n' })
})

test('a command that returns a result and an error prints both, and exits with the code of the error', async () => {
  const error = new ConfigurationError('the check found a problem')
  const command = defineCommand({
    output,
    view,
    examples: [],
    run: async () => commandResult({ exists: true }, { error, notes: ['look at the file'] }),
  })
  const ran = await createMachine().facescan('test -o ndjson', { main: mainOf(command) })
  expect(ran).toMatchObject({ exitCode: 13, stdout: '{"exists":true}\n' })
  expect(ran.stderr).toMatch(
    /^\{"note":\{"message":"look at the file"\}\}\n\{"error":\{"code":"configuration"/,
  )
})

test('a command that tries to send an unconfirmed change reports a bug and sends nothing', async () => {
  const server = await serve(() => reply(201, {}))
  const command = defineCommand({
    output,
    view,
    calls: ['users.create'],
    effect: 'change',
    examples: [],
    run: async (ctx) => {
      const api = await ctx.api()
      const { status } = await api.attempt(api.contract.users.create, { body: { external_user_id: '4711' } })
      return { exists: status === 201 }
    },
  })
  const env = { FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) }
  const ran = await createMachine(env).facescan('test --yes', { main: mainOf(command) })
  expect([ran.exitCode, server.requests]).toEqual([1, []])
})

test('a view returned by the run function overrides the view in the command definition', async () => {
  const text = ({ exists }: Existence) => (exists ? 'yes' : 'no')
  const command = defineCommand({
    output,
    view,
    examples: [],
    run: async () => commandResult({ exists: true }, { view: { text } }),
  })
  const ran = await createMachine().facescan('test', { main: mainOf(command) })
  expect(ran).toMatchObject({ exitCode: 0, stdout: 'yes\n' })
})

test('a command definition with a wrong column, result, or effect does not compile', () => {
  const wrongColumn: RecordView<Existence> = {
    // @ts-expect-error: no row has this key
    columns: [{ key: 'exist', title: 'Exists' }],
  }
  const wrongReplyColumn: RecordView<ReplyOf<'users.get'>> = {
    // @ts-expect-error: the response in the contract does not have this field
    columns: [{ key: 'birthdate', title: 'Birth date' }],
  }
  const computed: RecordView<Existence> = {
    columns: [{ key: 'missing', title: 'Missing', value: ({ exists }) => !exists }],
  }
  // @ts-expect-error: the schema requires a boolean
  defineCommand({ output, view, examples: [], run: async () => ({ exists: 'yes' }) })
  const keys = async (ctx: Context) => (await ctx.api()).questions.all()
  // @ts-expect-error: the view is for another result
  defineCommand({ output: 'questions.all', view, examples: [], run: keys })
  // @ts-expect-error: the endpoint deletes data, so the definition must state the effect
  defineCommand({ output, calls: ['users.delete'], view, examples: [], run: async () => ({ exists: true }) })
  const problem: Parameters<typeof defineCommand<'users.create'>>[0]['examples'] =
    'effect must be "change", as for the called endpoints'
  expect(problem).toContain('effect')
  // @ts-expect-error: no view shows the result
  expect(() => defineCommand({ output, examples: [], run: async () => ({ exists: true }) })).toThrow()
  // @ts-expect-error: this endpoint is not in the contract
  defineCommand({ output: 'users.exists', view, examples: [], run: async () => ({ exists: true }) })
  expect([wrongColumn, wrongReplyColumn, computed].map(({ columns }) => columns.length)).toEqual([1, 1, 1])
})

test('a command definition with a wrong column in an inline view does not compile', () => {
  const run = async () => ({ exists: true })
  const record = defineCommand({
    output,
    // @ts-expect-error: the result does not have this field
    view: { columns: [{ key: 'exist', title: 'Exists' }] },
    examples: [],
    run,
  })
  const list = defineCommand({
    output,
    // @ts-expect-error: the row does not have this field
    view: { rows: (found) => [found], columns: [{ key: 'exist', title: 'Exists' }], empty: '' },
    examples: [],
    run,
  })
  const many = defineCommand({
    output,
    view,
    // @ts-expect-error: the result does not have this field
    many: { view: { columns: [{ key: 'exist', title: 'Exists' }] } },
    examples: [],
    run,
  })
  // @ts-expect-error: the result does not have this field
  const other = commandResult({ exists: true }, { view: { columns: [{ key: 'exist', title: 'Exists' }] } })
  const print = (ctx: Context) =>
    // @ts-expect-error: the value does not have this field
    ctx.print({ exists: true }, { columns: [{ key: 'exist', title: 'Exists' }] })
  expect([record.view, list.view, many.many?.view, other.view]).toEqual(
    Array(4).fill(expect.objectContaining({ columns: [expect.objectContaining({ key: 'exist' })] })),
  )
  expect(print).toBeTypeOf('function')
})

test('a command definition with a list view and no text for an empty list does not compile', () => {
  const columns = [{ key: 'name', title: 'Name' }] as const
  const names = async () => z.array(z.strictObject({ name: z.string() }))
  const run = async () => [{ name: 'a' }]
  // @ts-expect-error: empty is missing
  expect(defineCommand({ output: names, view: { columns }, examples: [], run }).view).toEqual({ columns })
})

test('a command that is defined as read-only fails if it calls an endpoint that changes data', async () => {
  const machine = createMachine()
  const created = await machine.facescan('users create 4711 --json')
  const { user_id } = JSON.parse(created.stdout)
  const lying = defineCommand({
    output,
    view,
    calls: ['users.get'],
    examples: [],
    async run(ctx) {
      const api = await ctx.api()
      await api.users.update({ params: { user_id }, body: { sex: 'F' } })
      return { exists: true }
    },
  })
  for (const line of ['test', 'test --dry-run']) {
    const { exitCode, stderr } = await machine.facescan(line, { main: mainOf(lying) })
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 1 })
  }
  const { stdout } = await machine.facescan('users get 4711 --json')
  expect(JSON.parse(stdout).sex).toBe(null)
})
