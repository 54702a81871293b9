import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

const view = `view: { columns: [{ key: 'user_id', title: 'User ID' }] }`
const run = 'run: async (ctx, { user }) => (await ctx.api()).users.get({ user })'
const usual = `user: 'either', output: 'users.get', ${view}, examples: []`
const program = `
import { defineCommand } from '${root}/src/framework/define-command.ts'
import { flag } from '${root}/src/framework/options.ts'
defineCommand({ ${usual}, run: async () => ({ id: 'a' }) })
defineCommand({ ${usual}, options: { one: flag('--one <x>', 'one', String, { conflicts: 'two' }) }, ${run} })
defineCommand({ ${usual}, calls: ['users.delete'], ${run} })
defineCommand({ ${usual}, many: { rowFlags: ['two'] }, options: { one: flag('--one <x>', 'one') }, ${run} })
defineCommand({ ${usual}, many: { rowFlags: ['two'] }, ${run} })
defineCommand({ ${usual}, prompts: { two: {} }, ${run} })
defineCommand({ output: 'questions.all', view: { columns: [{ key: 'key', title: 'Key', value: (key) => key }] }, examples: [], run: async () => [] })
`

/** The first line of each compiler error. */
let messages: string[]

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'facescan-types-'))
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { types: [] },
    files: ['program.ts'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  writeFileSync(join(folder, 'program.ts'), program)
  const tsc = join(root, 'node_modules/.bin/tsc')
  const { stdout } = spawnSync(tsc, ['--project', folder, '--pretty', 'false'], { encoding: 'utf8' })
  messages = stdout.split('\n').filter((line) => /^\S*program\.ts\(/.test(line))
})

test.each([
  ['a result that the endpoint does not return', 4, 'ReturnOf<"users.get">'],
  ['a conflict with an unknown option', 5, String.raw`conflicts: the command has no option \"two\"`],
  ['an effect that the definition does not state', 6, String.raw`effect must be \"destroy\"`],
  ['a row flag that is not an option', 7, 'Type \'"two"\' is not assignable to type \'"one"\''],
  ['a row flag of a command without options', 8, "is not assignable to type 'never'"],
  ['a prompt for an unknown argument', 9, "'two' does not exist in type"],
  ['a missing text for an empty list', 10, "Property 'empty' is missing"],
])(
  'if a command definition is wrong, the first line of the compiler message contains the name %s',
  (_, line, problem) => {
    const message = messages.find((text) => text.includes(`(${line},`)) ?? ''
    expect(message).toContain(problem)
    expect(message.length).toBeLessThan(300)
  },
)
