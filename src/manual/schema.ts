import { toJSONSchema } from 'zod/mini'
import { version } from '../base/version.ts'
import { listExitCodes } from '../command/exit-codes.ts'
import type { CommandSchema, ProgramSchema } from '../command/program-schema.ts'
import { allCommands, type Surface, type SurfaceCommand } from '../command/surface.ts'

export async function programSchema(surface: Surface): Promise<ProgramSchema> {
  return {
    schema_version: 1,
    version,
    exit_codes: listExitCodes(),
    global_flags: surface.globalFlags,
    commands: await Promise.all(allCommands(surface).map(describeCommand)),
  }
}

async function describeCommand(command: SurfaceCommand): Promise<CommandSchema> {
  const { $schema: _, ...output } = toJSONSchema(await command.schema(), {
    io: 'output',
    unrepresentable: 'any',
  })
  return {
    command: command.name,
    summary: command.summary,
    description: command.description ?? null,
    effect: command.effect,
    local_effect: command.localEffect,
    credentials: command.credentials,
    user: command.user ?? null,
    arguments: command.arguments,
    flags: command.flags,
    examples: command.examples,
    output,
    exit_codes: command.exitCodes,
  }
}
