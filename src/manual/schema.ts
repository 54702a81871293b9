import { toJSONSchema } from 'zod'
import { exitCodes } from '../base/errors.ts'
import { version } from '../base/version.ts'
import { listExitCodes } from '../command/exit-codes.ts'
import type { CommandSchema, ProgramSchema } from '../command/program-schema.ts'
import { allCommands, type Surface, type SurfaceCommand } from '../command/surface.ts'
import { type Output, outputs } from '../commands/outputs.ts'

/** `network` too, since --max-time ends any command. */
const always = ['ok', 'internal', 'usage', 'network', 'configuration', 'interrupted', 'terminated'] as const

export function programSchema(surface: Surface): ProgramSchema {
  return {
    schema_version: 1,
    version,
    exit_codes: listExitCodes(),
    global_flags: surface.globalFlags,
    commands: allCommands(surface).map(describeCommand),
  }
}

function describeCommand(command: SurfaceCommand): CommandSchema {
  const output = outputs[command.name]
  const { $schema: _, ...schema } = output
    ? toJSONSchema(output.schema, { io: 'output', unrepresentable: 'any' })
    : {}
  return {
    command: command.name,
    summary: command.summary,
    description: command.description ?? null,
    effect: output?.effect ?? command.effect,
    local_effect: output?.localEffect ?? 'read',
    credentials: output?.service ? (command.takesToken ? ['key', 'token'] : ['key']) : [],
    user: command.user ?? null,
    arguments: command.arguments,
    flags: command.flags,
    examples: command.examples,
    output: output ? schema : null,
    exit_codes: exitCodesOf(output),
  }
}

function exitCodesOf({ failures = [] }: Partial<Output> = {}): number[] {
  return [...always, ...failures].map((code) => exitCodes[code]).sort((a, b) => a - b)
}
