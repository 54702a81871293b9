import { toJSONSchema } from 'zod'
import type { Effect } from '../contract/endpoint.ts'
import { exitCodes } from '../errors.ts'
import { type ExitCode, listExitCodes } from '../help/exit-codes.ts'
import type { ArgumentFacts, FlagFacts } from '../surface/flag.ts'
import { allCommands, type Surface, type SurfaceCommand } from '../surface/surface.ts'
import { version } from '../version.ts'
import { type Output, outputs } from './outputs.ts'

/** The program for programs: what can be run, with what, what comes back, and what it does to stored data. */
export interface ProgramSchema {
  /** Grows when a reader of an older one would misread it. */
  schema_version: 1
  version: string
  exit_codes: readonly ExitCode[]
  global_flags: readonly FlagFacts[]
  commands: readonly CommandSchema[]
}

export interface CommandSchema {
  command: string
  summary: string
  description: string | null
  /** The production guard and the dry run go by the same value. */
  effect: Effect
  /** The same for files and keys of this machine: profiles, imports, the sandbox. */
  local_effect: Effect
  /** What it can act with; empty for a command that sends nothing to the service. */
  credentials: readonly ('key' | 'token')[]
  user: SurfaceCommand['user'] | null
  arguments: readonly ArgumentFacts[]
  flags: readonly FlagFacts[]
  examples: readonly string[]
  /** JSON Schema of what `--json` prints; null where it is not known. */
  output: object | null
  exit_codes: readonly number[]
}

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
