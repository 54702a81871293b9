import { toJSONSchema } from 'zod/mini'
import { version } from '../base/version.ts'
import { listExitCodes } from '../command/exit-codes.ts'
import type { SurfaceCommand } from '../command/manual.ts'
import type { CommandSchema, ProgramSchema } from '../command/program-schema.ts'
import { readSurface } from './surface.ts'

export async function programSchema(): Promise<ProgramSchema> {
  const { globalFlags, commands } = await readSurface()
  return {
    schema_version: 1,
    version,
    exit_codes: listExitCodes(),
    global_flags: globalFlags,
    commands: await Promise.all(commands.map(addOutput)),
  }
}

async function addOutput({
  name,
  takesToken: _,
  fields: __,
  schema,
  ...facts
}: SurfaceCommand): Promise<CommandSchema> {
  const { $schema, ...output } = toJSONSchema(await schema(), { io: 'output', unrepresentable: 'any' })
  return { command: name, ...facts, output }
}
