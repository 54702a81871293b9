import { toJSONSchema } from 'zod/mini'
import { version } from '../base/process.ts'
import { globalOptions } from '../framework/global-flags.ts'
import { exitCodesOf, listExitCodes } from '../framework/list-exit-codes.ts'
import type { CommandSchema, ProgramSchema } from '../framework/program-schema.ts'
import { argumentsOf } from '../framework/user.ts'
import { type LoadedCommand, loadCommands } from '../routes/routes.ts'
import { describeArgument, describeFlags } from './describe.ts'

/** Returns a machine-readable description of a command. The schema of its output is added later. */
export function describeCommand({ name, summary, command }: LoadedCommand): Omit<CommandSchema, 'output'> {
  const { description, effect, localEffect, user, takesToken, calls, options, examples } = command
  return {
    command: name,
    summary,
    description: description ?? null,
    effect,
    local_effect: localEffect,
    credentials: calls.length === 0 ? [] : takesToken ? ['key', 'token'] : ['key'],
    user: user ?? null,
    arguments: argumentsOf(command).map(describeArgument),
    flags: describeFlags(options),
    examples,
    exit_codes: exitCodesOf(command),
  }
}

export async function programSchema(): Promise<ProgramSchema> {
  const commands = await loadCommands()
  return {
    schema_version: 1,
    version,
    exit_codes: listExitCodes(),
    global_flags: describeFlags(globalOptions),
    commands: await Promise.all(
      commands.map(async (loaded) => {
        const schema = await loaded.command.schema()
        const { $schema, ...output } = toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })
        return { ...describeCommand(loaded), output }
      }),
    ),
  }
}
