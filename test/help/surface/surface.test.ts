import { expect, test } from 'vitest'
import { type JSONSchema, toJSONSchema } from 'zod/v4/core'
import { globalOptions } from '../../../src/framework/global-flags.ts'
import type { ArgumentFacts, FlagFacts } from '../../../src/framework/program-schema.ts'
import { completionFiles, shells } from '../../../src/framework/shells.ts'
import { completionScript } from '../../../src/help/completion/scripts.ts'
import { describeFlags } from '../../../src/help/describe.ts'
import { describeCommand } from '../../../src/help/schema.ts'
import { type LoadedCommand, loadCommands } from '../../../src/routes/routes.ts'
import { expectGenerated } from '../../helpers/generated.ts'

const loaded = await loadCommands()
const commands = loaded.map(describeCommand)
const globalFlags = describeFlags(globalOptions)

async function outlineCommand(entry: LoadedCommand) {
  const { takesToken, schema } = entry.command
  const { command, effect, user, arguments: args, flags, exit_codes } = describeCommand(entry)
  return {
    command,
    effect,
    ...(user && { user }),
    ...(takesToken && { takesToken }),
    ...(args.length > 0 && { arguments: args.map(outlineArgument) }),
    flags: flags.map(outlineFlag),
    exitCodes: exit_codes.join(' '),
    json: outlineOf(toJSONSchema(await schema(), { io: 'output', unrepresentable: 'any' })),
  }
}

/** A flag as text, such as `-o --output <format> = table | json`, or `--retries <n> (3)` with the default value. */
function outlineFlag({ long, short, value, choices, many, required, default: usual }: FlagFacts): string {
  const placeholder = value && (value.optional ? `[=${value.name}]` : `<${value.name}>`)
  const parts = [short, long, placeholder, many && '...', choices && `= ${choices.join(' | ')}`]
  return [...parts, usual !== undefined && `(${usual})`, required && 'required'].filter(Boolean).join(' ')
}

function outlineArgument({ name, choices, many, required }: ArgumentFacts): string {
  const term = `${name}${many ? '...' : ''}`
  return [required ? `<${term}>` : `[${term}]`, ...(choices ? [`= ${choices.join(' | ')}`] : [])].join(' ')
}

/** The fields of a JSON document on one line, such as `{ user_id, weight?: { value, unit } }`. */
function outlineOf(schema: JSONSchema.BaseSchema): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf)
    return [...new Set(schema.anyOf.map((one) => outlineOf(one as JSONSchema.BaseSchema)))].join(' | ')
  if (schema.type === 'array') return `${outlineOf((schema.items ?? {}) as JSONSchema.BaseSchema)}[]`
  if (schema.type !== 'object' || !schema.properties) return [schema.type ?? 'any'].flat().join(' | ')
  const fields = Object.entries(schema.properties).map(([name, field]) => {
    const optional = schema.required?.includes(name) ? '' : '?'
    return `${name}${optional}: ${outlineOf(field as JSONSchema.BaseSchema)}`
  })
  return `{ ${fields.join(', ')} }`
}

test('test/surface.json lists every command with its flags, values, exit codes, and JSON fields', async () => {
  const outlines = await Promise.all(loaded.map(outlineCommand))
  const global = globalFlags.map(outlineFlag)
  const text = `${JSON.stringify({ global, commands: outlines }, null, 2)}\n`
  await expectGenerated('test/surface.json', text)
})

test.each(shells)('the committed completion script for %s matches the commands', async (shell) => {
  await expectGenerated(completionFiles[shell], await completionScript(shell))
})

test('a flag that needs a value in one command needs a value in every command', () => {
  const flags = [...commands.flatMap((command) => command.flags), ...globalFlags]
  const kinds = new Map<string, Set<boolean>>()
  for (const { long, value } of flags)
    kinds.set(long, (kinds.get(long) ?? new Set()).add(value !== undefined))
  expect([...kinds].filter(([, seen]) => seen.size > 1).map(([long]) => long)).toEqual([])
})

test('only "profiles set" defines a flag with the name of a global flag', () => {
  const global = globalFlags.flatMap(({ long, short }) => [long, ...(short ? [short] : [])])
  const taken = commands.flatMap(({ command, flags }) =>
    flags
      .filter(({ long, short }) => global.includes(long) || (short && global.includes(short)))
      .map(({ long }) => `${command} ${long}`),
  )
  expect(taken).toEqual(['profiles set --output'])
})
