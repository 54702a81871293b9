import type * as z from 'zod/mini'
import type { Credential, Effect } from '../contract/endpoint.ts'
import type { ArgumentFacts, FlagFacts } from './program-schema.ts'
import type { UserNeed } from './user.ts'

/** The public surface of the program as plain data. Man pages, completion, the schema, and test/surface.json are derived from it. */
export interface Surface {
  groups: readonly SurfaceGroup[]
  globalFlags: readonly FlagFacts[]
}

interface SurfaceGroup {
  title: string
  nouns: readonly SurfaceNoun[]
}

/** A noun with its commands. A command of one word is a noun with one command. */
interface SurfaceNoun {
  name: string
  summary: string
  single: boolean
  commands: readonly SurfaceCommand[]
}

export interface SurfaceCommand {
  /** `users create` */
  name: string
  summary: string
  description: string | undefined
  examples: readonly string[]
  effect: Effect
  localEffect: Effect
  /** Empty for a command that sends nothing to the service. */
  credentials: readonly Credential[]
  exitCodes: readonly number[]
  user: UserNeed | undefined
  takesToken: boolean
  arguments: readonly ArgumentFacts[]
  flags: readonly FlagFacts[]
  /** Fields that `--json=` can select; empty if the result is a single value. */
  fields: readonly string[]
  /** The schema of what `--json` prints. */
  schema(): Promise<z.core.$ZodType>
}

export function allCommands({ groups }: Surface): SurfaceCommand[] {
  return groups.flatMap(({ nouns }) => nouns.flatMap(({ commands }) => commands))
}
