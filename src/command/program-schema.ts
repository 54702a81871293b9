import type { Effect } from '../contract/endpoint.ts'
import type { ExitCode } from './exit-codes.ts'
import type { ArgumentFacts, FlagFacts } from './flag-facts.ts'
import type { UserNeed } from './user.ts'

/** The description of the program for programs: commands, inputs, results, and effects on stored data. */
export interface ProgramSchema {
  /** Increases if the change would break a reader of the previous version. */
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
  /** The production guard and the dry run use the same value. */
  effect: Effect
  /** The effect on files and keys of this machine: profiles, imports, the sandbox. */
  local_effect: Effect
  /** Accepted credentials; empty for a command that sends nothing to the service. */
  credentials: readonly ('key' | 'token')[]
  user: UserNeed | null
  arguments: readonly ArgumentFacts[]
  flags: readonly FlagFacts[]
  examples: readonly string[]
  /** JSON Schema of what `--json` prints. */
  output: Readonly<Record<string, unknown>>
  exit_codes: readonly number[]
}
